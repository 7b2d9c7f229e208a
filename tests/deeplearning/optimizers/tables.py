"""Prints tables.hpp: ten steps of each optimizer, computed in plain Python from the formulae of the papers.

python3 tables.py > tables.hpp, then scripts/format
"""

from math import cos, floor, pi, sqrt


def sign(x):
    return (x > 0) - (x < 0)


# Each rule is a generator, which is sent a gradient and the weight, and yields what is to be added to the weight.


def sgd(rate):
    update, t = None, 0
    while True:
        gradient, _ = yield update
        update = -rate(t) * gradient
        t += 1


def momentum(rate, mu):
    """Polyak, "Some methods of speeding up the convergence of iteration methods" (1964)."""
    update, velocity = None, 0
    while True:
        gradient, _ = yield update
        velocity = mu * velocity + gradient
        update = -rate * velocity


def nesterov(rate, mu):
    """Sutskever et al., "On the importance of initialization and momentum in deep learning" (2013), equations 3 and 4:
    v' = mu * v - rate * f'(theta + mu * v), theta' = theta + v'. The weight is theta + mu * v."""
    update, theta, v = None, None, 0
    while True:
        gradient, weight = yield update
        theta = weight if theta is None else theta
        v = mu * v - rate * gradient
        theta = theta + v
        update = theta + mu * v - weight


def adagrad(rate, epsilon):
    """Duchi, Hazan and Singer, "Adaptive Subgradient Methods" (2011): s is the sum of all squares."""
    update, squares = None, []
    while True:
        gradient, _ = yield update
        squares.append(gradient**2)
        update = -rate * gradient / (sqrt(sum(squares)) + epsilon)


def rmsprop(rate, decay, epsilon):
    """Tieleman and Hinton, "Neural Networks for Machine Learning" (2012), lecture 6.5."""
    update, mean_square = None, 0
    while True:
        gradient, _ = yield update
        mean_square = decay * mean_square + (1 - decay) * gradient**2
        update = -rate * gradient / (sqrt(mean_square) + epsilon)


def adam(rate, beta1, beta2, epsilon, decay=0):
    """Kingma and Ba, "Adam" (2015), algorithm 1; with a decay, Loshchilov and Hutter, "Decoupled Weight Decay
    Regularization" (2019), algorithm 2, with the rate as eta and an alpha of 1."""
    update, m, v, t = None, 0, 0, 0
    while True:
        gradient, weight = yield update
        t += 1
        m = beta1 * m + (1 - beta1) * gradient
        v = beta2 * v + (1 - beta2) * gradient**2
        m_hat = m / (1 - beta1**t)
        v_hat = v / (1 - beta2**t)
        update = -rate * (m_hat / (sqrt(v_hat) + epsilon) + decay * weight)


# What goes before a rule.


def with_gradient(transform, rule):
    """The rule, given transform(gradient, weight)."""
    update = next(rule)
    while True:
        gradient, weight = yield update
        update = rule.send((transform(gradient, weight), weight))


def with_decay(decay, rule):
    """Loshchilov and Hutter, equation 1: theta' = (1 - decay) * theta - (the rule's step)."""
    update = next(rule)
    while True:
        gradient, weight = yield update
        update = rule.send((gradient, weight)) - decay * weight


def l1(factor, rule):
    return with_gradient(lambda g, w: g + factor * sign(w), rule)


def l2(factor, rule):
    return with_gradient(lambda g, w: g + factor * w, rule)


def clip_by_value(limit, rule):
    return with_gradient(lambda g, _: max(-limit, min(limit, g)), rule)


# Schedules: the rate of step t = 0, 1, ...


def constant(rate):
    return lambda t: rate


def step_decay(initial, factor, every):
    return lambda t: initial * factor ** floor(t / every)


def cosine_decay(initial, last, steps):
    """Loshchilov and Hutter, "SGDR" (2017), equation 5."""
    return lambda t: last + 0.5 * (initial - last) * (1 + cos(pi * min(t, steps) / steps))


def warm_up(steps, then):
    return lambda t: then(0) * (t + 1) / (steps + 1) if t < steps else then(t - steps)


# The loss is (w - target)^2, of which the gradient is 2 * (w - target).


def trained(make_rule, start, target):
    rule = make_rule()
    next(rule)
    weight, weights = start, []
    for _ in range(10):
        weight += rule.send((2 * (weight - target), weight))
        weights.append(weight)
    return weights


def table(make_rule):
    return zip(trained(make_rule, 0.5, 3), trained(make_rule, 2, -1))


def clipped_by_global_norm(limit, rate):
    """Pascanu, Mikolov and Bengio, "On the difficulty of training recurrent neural networks" (2013), algorithm 1, of
    three weights, from 0.5, 2 and -4 to 3, -1 and 1."""
    weights = [0.5, 2, -4]
    for _ in range(10):
        gradients = [2 * (w - t) for w, t in zip(weights, (3, -1, 1))]
        norm = sqrt(sum(g**2 for g in gradients))
        factor = limit / norm if norm > limit else 1
        weights = [w - rate * factor * g for w, g in zip(weights, gradients)]
        yield weights


tables = {
    "sgd": ("sgd(0.1)", lambda: sgd(constant(0.1))),
    "momentum": ("momentum({0.05, 0.9})", lambda: momentum(0.05, 0.9)),
    "nesterov": ("nesterov({0.05, 0.9})", lambda: nesterov(0.05, 0.9)),
    "adagrad": ("adagrad({0.5, 1e-10})", lambda: adagrad(0.5, 1e-10)),
    "rmsprop": ("rmsprop({0.1, 0.8, 1e-3})", lambda: rmsprop(0.1, 0.8, 1e-3)),
    "adam": ("adam({0.3, 0.8, 0.95, 1e-8})", lambda: adam(0.3, 0.8, 0.95, 1e-8)),
    "adamW": ("adamW({0.3, 0.8, 0.95, 1e-8, 0.1})", lambda: adam(0.3, 0.8, 0.95, 1e-8, 0.1)),
    "l1": ("chain(l1(0.5), sgd(0.1))", lambda: l1(0.5, sgd(constant(0.1)))),
    "l2": ("chain(l2(0.5), sgd(0.1))", lambda: l2(0.5, sgd(constant(0.1)))),
    "weightDecay": ("chain(weightDecay(0.05), momentum({0.05, 0.9}))", lambda: with_decay(0.05, momentum(0.05, 0.9))),
    "clipByValue": ("chain(clipByValue(2), sgd(0.1))", lambda: clip_by_value(2, sgd(constant(0.1)))),
    "chained": (
        "chain(clipByValue(3), weightDecay(0.02), l2(0.1), l1(0.2), adam({0.3, 0.8, 0.95, 1e-8}))",
        lambda: clip_by_value(3, with_decay(0.02, l2(0.1, l1(0.2, adam(0.3, 0.8, 0.95, 1e-8))))),
    ),
    "stepDecay": ("sgd(stepDecay({0.2, 0.5, 3}))", lambda: sgd(step_decay(0.2, 0.5, 3))),
    "cosineDecay": ("sgd(cosineDecay({0.3, 0.05, 8}))", lambda: sgd(cosine_decay(0.3, 0.05, 8))),
    "warmUp": ("sgd(warmUp(4, cosineDecay({0.2, 0, 5})))", lambda: sgd(warm_up(4, cosine_decay(0.2, 0, 5)))),
}

print("""// Defines the tables of ten steps that optimizers are compared with; printed by tables.py, which says how.
#pragma once

#include <array>

namespace tapestry::test::tables {

/// After each of ten steps, a weight that starts at 0.5 and one that starts at 2, where the loss is the
/// square of the distance from 3 and from -1.
using Table = std::array<std::array<double, 2>, 10>;
""")
for name, (rule, make_rule) in tables.items():
    print(f"/// {rule}")
    print(f"inline constexpr Table {name}{{{{")
    for row in table(make_rule):
        print(f"    {{{row[0]!r}, {row[1]!r}}},")
    print("}};\n")
print("/// sgd(0.1), clipByGlobalNorm(8): of three weights, from 0.5, 2 and -4 to 3, -1 and 1.")
print("inline constexpr std::array<std::array<double, 3>, 10> clipByGlobalNorm{{")
for row in clipped_by_global_norm(8, 0.1):
    print(f"    {{{', '.join(map(repr, row))}}},")
print("""}};

}  // namespace tapestry::test::tables""")

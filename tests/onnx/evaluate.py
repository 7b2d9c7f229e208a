"""Runs networks of ONNX files with numpy, by the text of the standard for opset 12."""
import functools
import glob

import numpy as np
import onnx
from onnx import helper, numpy_helper


def reduction(f):
    return lambda a, x: f(x, axis=tuple(a["axes"]) if "axes" in a else None, keepdims=bool(a.get("keepdims", 1)))


def every(f):
    return lambda a, *xs: functools.reduce(f, xs)


def softmax(a, x):
    """Over all axes from the given one on."""
    rows = x.reshape(int(np.prod(x.shape[:a.get("axis", 1)])), -1)
    powers = np.exp(rows - rows.max(1, keepdims=True))
    return (powers / powers.sum(1, keepdims=True)).reshape(x.shape)


def log_sum_exp(x, axis, keepdims):
    return np.log(np.sum(np.exp(x), axis=axis, keepdims=keepdims))


def sliced(a, x, starts, ends, axes=None, steps=None):
    chosen = [slice(None)] * x.ndim
    axes = range(len(starts)) if axes is None else axes
    for axis, start, end, step in zip(axes, starts, ends, np.ones_like(starts) if steps is None else steps):
        chosen[axis] = slice(int(start), int(end), int(step))
    return x[tuple(chosen)]


def windows(a, x, outside):
    """[N, C, height, width, kernel height, kernel width]"""
    top, left, bottom, right = a.get("pads", [0, 0, 0, 0])
    x = np.pad(x, [(0, 0), (0, 0), (top, bottom), (left, right)], constant_values=outside)
    (down, across), (kernel, dilation) = a.get("strides", [1, 1]), (a["kernel_shape"], a.get("dilations", [1, 1]))
    reach = [d * (k - 1) + 1 for k, d in zip(kernel, dilation)]
    all_windows = np.lib.stride_tricks.sliding_window_view(x, reach, axis=(2, 3))
    return all_windows[:, :, ::down, ::across, ::dilation[0], ::dilation[1]]


def convolution(a, x, w, b=None):
    groups = zip(np.split(windows(a, x, 0), a["group"], 1), np.split(w, a["group"], 0))
    y = np.concatenate([np.einsum("nchwij,ocij->nohw", part, own) for part, own in groups], 1)
    return y if b is None else y + b.reshape(-1, 1, 1)


def average_pool(a, x):
    assert not any(a.get("pads", []))  # else it matters whether they count
    return windows(a, x, 0).mean((4, 5))


def batch_normalization(a, x, *parameters):
    gain, bias, mean, variance = (p.reshape(-1, *[1] * (x.ndim - 2)) for p in parameters)
    return (x - mean) / np.sqrt(variance + a["epsilon"]) * gain + bias


def product(a, x, y):
    return (x.T if a.get("transA") else x) @ (y.T if a.get("transB") else y)


def softmax_loss(a, x, labels):
    assert a["reduction"] == b"mean" and x.ndim == 2
    return -np.log(softmax({"axis": 1}, x))[np.arange(len(labels)), labels].mean()


def one_hot(a, indices, depth, values):
    depth = int(np.ravel(depth)[0])
    numbers = np.arange(depth).reshape(-1, *[1] * (indices.ndim - a["axis"]))
    here = np.expand_dims(np.where(indices < 0, indices + depth, indices), a["axis"]) == numbers
    return np.where(here, values[1], values[0])


def reshape(a, x, shape):
    return x.reshape([x.shape[i] if extent == 0 else extent for i, extent in enumerate(shape)])


def unsqueeze(a, x):
    for axis in sorted(a["axes"]): x = np.expand_dims(x, axis)
    return x


OPERATIONS = {name: lambda a, *xs, f=f: f(*xs) for name, f in {
    "Abs": np.abs, "Neg": np.negative, "Sqrt": np.sqrt, "Exp": np.exp, "Log": np.log, "Sin": np.sin, "Cos": np.cos,
    "Sign": np.sign, "Tanh": np.tanh, "Add": np.add, "Sub": np.subtract, "Mul": np.multiply, "Div": np.divide,
    "Pow": np.power, "Greater": np.greater, "GreaterOrEqual": np.greater_equal, "Less": np.less,
    "LessOrEqual": np.less_equal, "Equal": np.equal, "Not": np.logical_not, "Where": np.where, "MatMul": np.matmul,
    "Sigmoid": lambda x: 1 / (1 + np.exp(-x)), "Softplus": lambda x: np.log1p(np.exp(x)), "Identity": lambda x: x,
    "Relu": lambda x: np.maximum(x, 0), "Dropout": lambda x, rate: x,
    "Expand": lambda x, shape: np.broadcast_to(x, np.broadcast_shapes(x.shape, tuple(shape))),
    "Pad": lambda x, pads, value: np.pad(x, pads.reshape(2, -1).T, constant_values=value)}.items()}
OPERATIONS.update({
    "Sum": every(np.add), "Min": every(np.minimum), "Max": every(np.maximum), "ReduceSum": reduction(np.sum),
    "ReduceMean": reduction(np.mean), "ReduceMax": reduction(np.max), "ReduceMin": reduction(np.min),
    "ReduceL2": reduction(lambda x, **how: np.sqrt(np.sum(x * x, **how))), "ReduceLogSumExp": reduction(log_sum_exp),
    "Elu": lambda a, x: np.where(x > 0, x, a["alpha"] * np.expm1(x)), "Softmax": softmax,
    "LeakyRelu": lambda a, x: np.where(x > 0, x, a["alpha"] * x), "LogSoftmax": lambda a, x: np.log(softmax(a, x)),
    "Cast": lambda a, x: x.astype(helper.mapping.TENSOR_TYPE_TO_NP_TYPE[a["to"]]), "Reshape": reshape,
    "Constant": lambda a: numpy_helper.to_array(a["value"]), "Unsqueeze": unsqueeze, "Slice": sliced, "Gemm": product,
    "Transpose": lambda a, x: x.transpose(a["perm"]), "Concat": lambda a, *xs: np.concatenate(xs, a["axis"]),
    "Gather": lambda a, x, indices: x.take(indices, a.get("axis", 0)), "OneHot": one_hot, "Conv": convolution,
    "Einsum": lambda a, *xs: np.einsum(a["equation"].decode(), *xs), "SoftmaxCrossEntropyLoss": softmax_loss,
    "BatchNormalization": batch_normalization, "AveragePool": average_pool,
    "MaxPool": lambda a, x: windows(a, x, -np.inf).max((4, 5))})


def outputs(graph, values):
    """The outputs of a graph, from values by their names."""
    values = values | {given.name: numpy_helper.to_array(given) for given in graph.initializer}
    for node in graph.node:
        attributes = {a.name: helper.get_attribute_value(a) for a in node.attribute}
        inputs = [values[name] for name in node.input]
        if node.op_type == "If":
            results = outputs(attributes["then_branch" if inputs[0].all() else "else_branch"], values)
        else:
            results = [np.asarray(OPERATIONS[node.op_type](attributes, *inputs))]
        values.update(zip(node.output, results))
    return [values[output.name] for output in graph.output]


def check():
    """Compares the outputs of NAME.onnx for x = NAME.x.npy with NAME.y.npy; returns how many were compared."""
    files = glob.glob("*.onnx")
    for file in files:
        x, expected = (np.load(file.replace("onnx", of)) for of in ("x.npy", "y.npy"))
        y, = outputs(onnx.load(file).graph, {"x": x})
        assert y.shape == expected.shape, (file, y.shape, expected.shape)
        assert y.dtype == np.float32, (file, y.dtype)
        assert np.all(np.abs(y - expected) <= 1e-5 * np.maximum(1, np.abs(expected))), (file, y, expected)
    return len(files)

#!/usr/bin/python3
"""make.py FOLDER: writes networks as PyTorch exports them, each with inputs and the outputs that PyTorch computes.

The files beside this script are those of PyTorch 1.13. Tests read them also where PyTorch is missing.
"""
import sys

import numpy
import torch
from torch import nn


class LstmStep(nn.Module):
    """One step, written as the formulas say, since torch.onnx makes one node LSTM of nn.LSTMCell."""

    def __init__(self, inputs, width):
        super().__init__()
        self.of_input = nn.Linear(inputs, 4 * width)
        self.of_hidden = nn.Linear(width, 4 * width)

    def forward(self, x, hidden, cell):
        # torch.onnx makes a Split of split, but computes with a Shape for chunk.
        i, f, g, o = (self.of_input(x) + self.of_hidden(hidden)).split(hidden.shape[1], 1)
        cell = torch.sigmoid(f) * cell + torch.sigmoid(i) * torch.tanh(g)
        return torch.sigmoid(o) * torch.tanh(cell), cell


class Block(nn.Module):
    """A block of a transformer, with two heads."""

    def __init__(self, width):
        super().__init__()
        self.first, self.second = nn.LayerNorm(width), nn.LayerNorm(width)
        self.all, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.feed = nn.Sequential(nn.Linear(width, 2 * width), nn.GELU(), nn.Linear(2 * width, width))

    def forward(self, x):
        length, width = x.shape[-2:]
        q, k, v = (part.view(-1, length, 2, width // 2).transpose(1, 2)
                   for part in self.all(self.first(x)).split(width, -1))
        weights = torch.softmax(q @ k.transpose(-1, -2) / (width // 2) ** 0.5, -1)
        x = x + self.out((weights @ v).transpose(1, 2).reshape(-1, length, width))
        return x + self.feed(self.second(x))


def networks():
    """Yields the name, the model, its inputs, the opset, and whether the batch has any size."""
    yield "mlp", nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Dropout(0.3), nn.Linear(8, 3),
                               nn.Softmax(1)), [(5, 4)], 12, True
    # A BatchNorm2d after a convolution would become part of it.
    yield "cnn", nn.Sequential(
        nn.Conv2d(1, 4, 3, padding=1), nn.ReLU(), nn.BatchNorm2d(4), nn.MaxPool2d(2), nn.Conv2d(4, 6, 2, groups=2),
        nn.LeakyReLU(0.2), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(6, 3), nn.LogSoftmax(1)
    ), [(2, 1, 8, 8)], 13, True
    yield "lstm_step", LstmStep(3, 4), [(2, 3), (2, 4), (2, 4)], 11, False
    yield "block", Block(8), [(2, 5, 8)], 17, False


def main(folder):
    torch.manual_seed(1)
    for name, model, shapes, opset, any_batch in networks():
        for kind, values in model.named_buffers():
            if kind.endswith("running_mean"): values.uniform_(-0.5, 0.5)
            if kind.endswith("running_var"): values.uniform_(0.5, 1.5)
        model.eval()
        inputs = tuple(torch.rand(shape) * 2 - 1 for shape in shapes)
        names = ["input%d" % i for i in range(len(inputs))]
        torch.onnx.export(model, inputs, "%s/%s.onnx" % (folder, name), opset_version=opset, input_names=names,
                          dynamic_axes={"input0": {0: "N"}} if any_batch else None)
        with torch.no_grad():
            outputs = model(*inputs)
        outputs = outputs if isinstance(outputs, tuple) else (outputs,)
        for kind, values in [("input", inputs), ("output", outputs)]:
            for i, value in enumerate(values):
                numpy.save("%s/%s.%s%d.npy" % (folder, name, kind, i), numpy.ascontiguousarray(value.numpy()))


if __name__ == "__main__":
    main(*sys.argv[1:])

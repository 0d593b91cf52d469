"""A slow twin: school arithmetic by the syntax tree of Python, with fractions."""

from __future__ import annotations

import ast
from fractions import Fraction

OPERATIONS = {
    ast.Add: lambda a, b: a + b,
    ast.Sub: lambda a, b: a - b,
    ast.Mult: lambda a, b: a * b,
    ast.Div: lambda a, b: a / b,
    ast.Pow: lambda a, b: a ** int(b),
}


def value_of(text: str) -> Fraction:
    """Return the exact value of an expression in the notation of Python."""

    def walk(node: ast.expr) -> Fraction:
        if isinstance(node, ast.BinOp):
            return OPERATIONS[type(node.op)](walk(node.left), walk(node.right))
        if isinstance(node, ast.UnaryOp):
            return -walk(node.operand)
        assert isinstance(node, ast.Constant)
        return Fraction(ast.get_source_segment(text, node))

    return walk(ast.parse(text, mode="eval").body)

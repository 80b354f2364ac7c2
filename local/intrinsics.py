"""Evaluates CloudFormation's intrinsic functions with values given by the caller."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import yaml

try:
    from yaml import CSafeLoader as SafeLoader
except ImportError:  # a PyYAML that was built without libyaml, eight times as slow
    from yaml import SafeLoader  # type: ignore[assignment]

NO_VALUE = object()
"""The value of `AWS::NoValue`: a key with this value is removed."""

_PLACEHOLDER = re.compile(r"\$\{(!?)([^${}]+)\}")


class UnresolvedValue(ValueError):
    """Only AWS knows this value of the template, and the caller did not give it."""


class _Loader(SafeLoader):
    """YAML with the short forms (`!Ref X`) read as the long ones (`{"Ref": "X"}`)."""


def _short_form(loader: _Loader, suffix: str, node: yaml.Node) -> dict[str, Any]:
    value: Any
    if isinstance(node, yaml.ScalarNode):
        value = loader.construct_scalar(node)
    elif isinstance(node, yaml.SequenceNode):
        value = loader.construct_sequence(node, deep=True)
    elif isinstance(node, yaml.MappingNode):
        value = loader.construct_mapping(node, deep=True)
    else:
        raise yaml.constructor.ConstructorError(None, None, f"unexpected !{suffix}", node.start_mark)
    if suffix == "GetAtt" and isinstance(value, str):
        value = value.split(".", 1)
    return {suffix if suffix in ("Ref", "Condition") else f"Fn::{suffix}": value}


yaml.add_multi_constructor("!", _short_form, Loader=_Loader)


def load(text: str) -> dict[str, Any]:
    """The template as plain dictionaries; nothing is evaluated."""
    document = yaml.load(text, Loader=_Loader)
    if not isinstance(document, dict):
        raise ValueError("the template is not a mapping")
    return document


def is_intrinsic(value: Any) -> bool:
    """Whether a value of the template is an intrinsic function."""
    if not isinstance(value, dict) or len(value) != 1:
        return False
    [name] = value
    return name in ("Ref", "Condition") or str(name).startswith("Fn::")


@dataclass(frozen=True, slots=True)
class Resolver:
    """Evaluates intrinsics. The keys of `values` are names for `Ref`, and `Name.Attribute` for `GetAtt`."""

    values: Mapping[str, Any]
    conditions: Mapping[str, Any]
    mappings: Mapping[str, Any]

    def resolve(self, value: Any) -> Any:
        """The value with every intrinsic replaced; raises UnresolvedValue for one that only AWS knows."""
        if isinstance(value, list):
            return [item for item in map(self.resolve, value) if item is not NO_VALUE]
        if not isinstance(value, dict):
            return value
        if len(value) == 1:
            [(name, argument)] = value.items()
            if name in _FUNCTIONS:
                return _FUNCTIONS[name](self, argument)
            if isinstance(name, str) and name.startswith("Fn::"):
                raise UnresolvedValue(f"{name} is not evaluated here")
        resolved = {key: self.resolve(item) for key, item in value.items()}
        return {key: item for key, item in resolved.items() if item is not NO_VALUE}

    def holds(self, condition: str) -> bool:
        """Whether a named condition of the template is true."""
        if condition not in self.conditions:
            raise UnresolvedValue(f"condition {condition} is not in the template")
        return bool(self.resolve(self.conditions[condition]))

    def lookup(self, name: str) -> Any:
        """The value of a parameter, pseudo parameter, resource or attribute."""
        if name == "AWS::NoValue":
            return NO_VALUE
        if name not in self.values:
            raise UnresolvedValue(f"{name} is known to AWS only; give a value for it")
        return self.values[name]


def _ref(resolver: Resolver, name: str) -> Any:
    return resolver.lookup(name)


def _get_attribute(resolver: Resolver, path: list[str]) -> Any:
    return resolver.lookup(".".join(path))


def _substitute(resolver: Resolver, argument: Any) -> str:
    text, local = (argument, {}) if isinstance(argument, str) else argument

    def replaced(match: re.Match[str]) -> str:
        literal, name = match.groups()
        if literal:
            return f"${{{name}}}"
        return str(resolver.resolve(local[name]) if name in local else resolver.lookup(name.strip()))

    return _PLACEHOLDER.sub(replaced, text)


def _if(resolver: Resolver, argument: list[Any]) -> Any:
    condition, when_true, when_false = argument
    return resolver.resolve(when_true if resolver.holds(condition) else when_false)


def _equals(resolver: Resolver, argument: list[Any]) -> bool:
    left, right = (str(resolver.resolve(side)) for side in argument)
    return left == right


def _join(resolver: Resolver, argument: list[Any]) -> str:
    separator, items = argument
    return str(separator).join(map(str, resolver.resolve(items)))


def _select(resolver: Resolver, argument: list[Any]) -> Any:
    index, items = argument
    return resolver.resolve(items)[int(resolver.resolve(index))]


def _split(resolver: Resolver, argument: list[Any]) -> list[str]:
    separator, text = argument
    return str(resolver.resolve(text)).split(separator)


def _find_in_map(resolver: Resolver, argument: list[Any]) -> Any:
    table, first, second = map(resolver.resolve, argument)
    return resolver.mappings[table][first][second]


_FUNCTIONS: dict[str, Callable[[Resolver, Any], Any]] = {
    "Ref": _ref,
    "Condition": lambda resolver, name: resolver.holds(name),
    "Fn::GetAtt": _get_attribute,
    "Fn::Sub": _substitute,
    "Fn::If": _if,
    "Fn::Equals": _equals,
    "Fn::Not": lambda resolver, argument: not resolver.resolve(argument[0]),
    "Fn::And": lambda resolver, argument: all(map(resolver.resolve, argument)),
    "Fn::Or": lambda resolver, argument: any(map(resolver.resolve, argument)),
    "Fn::Join": _join,
    "Fn::Select": _select,
    "Fn::Split": _split,
    "Fn::FindInMap": _find_in_map,
}

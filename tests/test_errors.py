"""`CodecError`: what it carries, what it prints, what it also is."""

import inspect
import pickle

import pytest
from bytewalk import CodecError, errors, speedy
from bytewalk.types import u8, u16

KINDS = [
    kind for _, kind in inspect.getmembers(errors, inspect.isclass) if issubclass(kind, CodecError)
]
ALSO = {"UnexpectedEnd": EOFError, "OutOfRange": OverflowError}
ALSO |= {"WrongType": TypeError, "NoWireForm": TypeError}
each_kind = pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)


def test_there_are_kinds():
    assert CodecError in KINDS
    assert {"UnexpectedEnd", "InvalidUtf8", "UnknownVariant", "TooDeep", *ALSO} <= {
        kind.__name__ for kind in KINDS
    }


@each_kind
def test_every_kind_is_a_value_error_and_its_builtin(kind):
    assert issubclass(kind, CodecError) and issubclass(kind, ValueError)
    for name, builtin in ALSO.items():
        assert issubclass(kind, builtin) == (
            name == kind.__name__ or ALSO.get(kind.__name__) is builtin
        )
    assert kind.__doc__


@each_kind
def test_what_an_error_carries_and_prints(kind):
    error = kind("no such thing", offset=5, path="items[3].sku")
    assert (error.reason, error.offset, error.path) == ("no such thing", 5, "items[3].sku")
    assert str(error) == "no such thing (in items[3].sku, at byte 5)"
    assert str(kind("no such thing", offset=0)) == "no such thing (at byte 0)"
    assert str(kind("no such thing", path="a")) == "no such thing (in a)"
    assert str(kind("no such thing")) == "no such thing"
    assert error.args == ("no such thing",)


@each_kind
def test_an_error_goes_through_pickle(kind):
    error = kind("no such thing", offset=5, path="a")
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is kind
    assert (again.reason, again.offset, again.path) == ("no such thing", 5, "a")
    assert str(again) == str(error)


def test_a_caller_who_knows_only_builtins():
    with pytest.raises(EOFError):
        speedy.decode(b"", u8)
    with pytest.raises(OverflowError):
        speedy.encode(300, u8)
    with pytest.raises(TypeError):
        speedy.encode("1", u8)
    with pytest.raises(TypeError):
        speedy.encode(1, int)
    with pytest.raises(ValueError):
        speedy.decode(b"\1\0\0\0\xff", str)


def test_numbers_in_a_reason_say_what_was_wanted_and_what_there_was():
    with pytest.raises(CodecError) as caught:
        speedy.decode(b"\1", u16)
    assert "2 bytes" in caught.value.reason and "1" in caught.value.reason
    with pytest.raises(CodecError) as caught:
        speedy.encode(300, u8)
    assert "300" in caught.value.reason and "255" in caught.value.reason


def test_errors_are_not_shared():
    with pytest.raises(CodecError) as first:
        speedy.decode(b"", u8)
    with pytest.raises(CodecError) as second:
        speedy.decode(b"", u8)
    assert first.value is not second.value

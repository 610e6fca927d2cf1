"""The files that a command with network access needs: name resolution and trusted certificates.

Such a command is in the network namespace of this machine; in everything else it is as isolated as any other.
"""

from pathlib import Path

# Where the usual distributions keep the certificates of authorities, and nothing that is secret.
CERTIFICATES = ("/etc/ssl/certs", "/etc/pki/tls/certs", "/etc/pki/ca-trust/extracted")
LOOKED_UP_BY = "passwd: files\ngroup: files\nhosts: files dns\n"
COPIED = ("/etc/hosts", "/etc/resolv.conf")  # the latter is often a link to what is not shown


def network_names(copied: tuple[str, ...] = COPIED) -> dict[str, str]:
    """Return the little files of `/etc` by which other machines are found, as they are at this moment."""
    present = (Path(path) for path in copied if Path(path).is_file())
    found = {str(path): path.read_text(encoding="utf-8", errors="replace") for path in present}
    return {**found, "/etc/nsswitch.conf": LOOKED_UP_BY}


def certificates(folders: tuple[str, ...] = CERTIFICATES) -> list[str]:
    """Return the folders of certificates that this machine has."""
    return [folder for folder in folders if Path(folder).is_dir()]

"""nginx and Caddy before the site, each with our configuration: only the ports, which a rehearsal may not have, and
where the proxy keeps its own files are other ones."""

import os
import re
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from tests.ports import free_port
from tests.rehearsal.stand_in import RehearsalError, end
from tests.rehearsal.visiting import Visitor

# As Debian's own: every request is written down, and every error, unless our configuration says otherwise.
NGINX_MAIN = """{user}daemon off;
pid {folder}/nginx.pid;
error_log {folder}/nginx.log;
events {{}}
http {{
    access_log {folder}/access.log;
    client_body_temp_path {folder}/nginx-body;
    proxy_temp_path {folder}/nginx-proxy;
    fastcgi_temp_path {folder}/nginx-fastcgi;
    uwsgi_temp_path {folder}/nginx-uwsgi;
    scgi_temp_path {folder}/nginx-scgi;
    include {sites}/*;
}}
"""
# They go into the block of options our configuration begins with.
CADDY_OPTIONS = """{{
	admin localhost:{admin}
	http_port {http}
	https_port {https}
	local_certs
	skip_install_trust
	storage file_system {folder}/caddy
"""
_SOMEBODY = re.compile(r"client: |_ip\"|127\.0\.0\.1 - |/healthz|/ratings/")


def exchanged(text: str, changes: Mapping[str, str]) -> str:
    """The text with those parts exchanged. Raises RehearsalError where one of them is not there."""
    for old, new in changes.items():
        if old not in text:
            raise RehearsalError(f"the configuration has no line “{old}”")
        text = text.replace(old, new)
    return text


@contextmanager
def nginx(folder: Path, sites: Path, certificate: Path, site: str) -> Iterator[Visitor]:
    """nginx with the configurations in `sites`, until the block is left."""
    http, https = free_port(), free_port()
    for path in {path.resolve() for path in sites.iterdir()}:
        text = exchanged(
            path.read_text(encoding="utf-8"),
            {
                "listen 80;": f"listen 127.0.0.1:{http};",
                "listen [::]:80;": "",
                "listen 443 ssl http2;": f"listen 127.0.0.1:{https} ssl http2;",
                "listen [::]:443 ssl http2;": "",
                "/var/log/nginx/error.log": f"{folder}/nginx.log",
            },
        )
        path.write_text(text, encoding="utf-8")
    main = folder / "nginx.conf"
    # Run by root its workers would be somebody else, who may not enter a folder of root's.
    user = "user root;\n" if os.geteuid() == 0 else ""
    main.write_text(NGINX_MAIN.format(user=user, folder=folder, sites=sites))
    command = ["nginx", "-p", str(folder), "-e", f"{folder}/nginx.log", "-c", str(main)]
    _check([*command, "-t"])
    with _running(command, folder / "nginx.out"):
        yield Visitor(site, http, https, certificate).waiting()


@contextmanager
def caddy(folder: Path, configuration: Path, variables: Mapping[str, str], site: str) -> Iterator[Visitor]:
    """Caddy with that configuration and a certificate it signs itself, until the block is left."""
    http, https, admin = free_port(), free_port(), free_port()
    options = CADDY_OPTIONS.format(http=http, https=https, admin=admin, folder=folder)
    text = exchanged(configuration.read_text(encoding="utf-8"), {"\n{\n": f"\n{options}"})
    path = folder / "Caddyfile"
    path.write_text(text, encoding="utf-8")
    environment = {**os.environ, "HOME": str(folder), "XDG_CONFIG_HOME": str(folder / "config"), **variables}
    command = ["caddy", "run", "--adapter", "caddyfile", "--config", str(path)]
    root = folder / "caddy" / "pki" / "authorities" / "local" / "root.crt"
    with _running(command, folder / "caddy.out", environment):
        yield Visitor(site, http, https, root, admin).waiting()


def nobody_is_in_the_logs(folder: Path) -> None:
    """What a proxy has written down so far names no address of a visitor and no page. Raises RehearsalError."""
    for path in (folder / name for name in ("access.log", "nginx.log", "caddy.out")):
        lines = path.read_text(errors="replace").splitlines() if path.exists() else []
        # Caddy's own door is for its administrator, and no visitor's.
        found = [line for line in lines if _SOMEBODY.search(line) and '"logger":"admin' not in line]
        if found:
            raise RehearsalError(f"{path.name} knows who asked for what: {found[0][:500]}")


def _check(command: list[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RehearsalError(f"{command[0]} does not take our configuration: {done.stderr.strip()}")


@contextmanager
def _running(command: list[str], log: Path, environment: Mapping[str, str] | None = None) -> Iterator[None]:
    with log.open("wb") as out:
        process = subprocess.Popen(command, stdout=out, stderr=out, env=environment, start_new_session=True)
        try:
            yield
        except RehearsalError as failure:
            said = re.sub(r"\n+", "\n    ", log.read_text(errors="replace")[-1500:])
            raise RehearsalError(f"{failure}\n{command[0]} said:\n    {said}") from failure
        finally:
            end(process, 20)

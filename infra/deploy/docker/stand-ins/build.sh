#!/bin/sh
# Makes stand-ins for the public images, where no registry can be reached, from Debian's packages and this clone's Node.
# Needs root, debootstrap, docker, and any Node from 20 on. Prints what goes into .env beside docker-compose.yml.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
# The clone's Node comes with the dependencies; with --help the command does nothing else.
node "$here/../../../dev/local/bootstrap.mjs" check --help > /dev/null
case $(uname -m) in aarch64) arch=arm64 ;; *) arch=x64 ;; esac
node=$here/../../../../node_modules/node-linux-$arch/bin/node
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
debootstrap --variant=minbase --include=ca-certificates trixie "$work/root" > "$work/log" 2>&1 \
  || { tail "$work/log" >&2; exit 1; }
rm -rf "$work"/root/var/cache/apt/archives/*.deb "$work"/root/var/lib/apt/lists/*
# Whom this machine trusts, its images trust: a mirror of packages may have a certificate of its own.
cp -L /etc/ssl/certs/ca-certificates.crt "$work/root/etc/ssl/certs/ca-certificates.crt"
tar -C "$work/root" -c . | docker import - tds-stand-in/debian > /dev/null
mkdir "$work/context"
cp -L "$node" "$here"/Dockerfile "$here"/postgres-entrypoint.sh "$work/context"
cp -R "$(npm root --global 2> /dev/null)/npm" "$work/context/npm"
for name in node postgres nats redis prometheus; do
  docker build --quiet --target "$name" --tag "tds-stand-in/$name" "$work/context" > /dev/null
  echo "$(echo "$name" | tr '[:lower:]' '[:upper:]')_IMAGE=tds-stand-in/$name"
done
echo ALERTMANAGER_IMAGE=tds-stand-in/prometheus
echo NODE_EXPORTER_IMAGE=tds-stand-in/prometheus

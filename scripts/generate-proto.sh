#!/usr/bin/env bash
# Writes packages/tron/src/transaction/gen from transaction.proto. Run it after every change of the schema.
set -euo pipefail
cd "$(dirname "$0")/../packages/tron/src/transaction"
template='{"version":"v2","plugins":[{"local":"protoc-gen-es","out":"gen","opt":["target=js+dts","import_extension=js"]}]}'
npx --yes -p @bufbuild/buf@1.75.0 -p @bufbuild/protoc-gen-es@2.17.0 buf generate --template "$template" transaction.proto

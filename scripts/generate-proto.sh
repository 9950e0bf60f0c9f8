#!/usr/bin/env bash
# Writes src/core/transaction/gen from transaction.proto. Run it after every change of the schema.
set -euo pipefail
cd "$(dirname "$0")/../src/core/transaction"
template='{"version":"v2","plugins":[{"local":"protoc-gen-es","out":"gen","opt":["target=js+dts","import_extension=js"]}]}'
npx --yes -p @bufbuild/buf@1.75.0 -p @bufbuild/protoc-gen-es@2.17.0 buf generate --template "$template" transaction.proto

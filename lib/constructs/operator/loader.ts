/** Environment variable that holds the sha256 of the program that the pod is meant to run. */
export const PROGRAM_SHA256 = 'OPERATOR_SHA256';

/** Keys of the ConfigMap, which are the names of the mounted files. */
export const LOADER_FILE = 'run.cjs';
export const PROGRAM_FILE = 'operator.cjs.zst';

/**
 * Unpacks the program that lies beside it and runs it in its own place, with the same arguments.
 *
 * A kubelet may mount, for a moment, the ConfigMap of before a change. The pod says which program it wants; if it finds
 * another one it ends, and the kubelet starts it again with what is there by then.
 */
export const LOADER = `'use strict';
const { createHash } = require('node:crypto');
const { readFileSync } = require('node:fs');
const { join } = require('node:path');
const { zstdDecompressSync } = require('node:zlib');

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 19)) {
  fail('the image has Node.js ' + process.versions.node + ', and the operator needs 22.19 or newer');
} else {
  run(zstdDecompressSync(readFileSync(join(__dirname, '${PROGRAM_FILE}'))));
}

function run(code) {
  const found = createHash('sha256').update(code).digest('hex');
  const wanted = process.env.${PROGRAM_SHA256};
  if (found !== wanted) {
    fail('the mounted ConfigMap has another program than this pod is for: it is being replaced', { wanted, found });
    return;
  }
  module._compile(code.toString('latin1'), join(__dirname, 'operator.cjs'));
}

function fail(msg, more) {
  console.error(JSON.stringify({ time: new Date().toISOString(), level: 'error', msg, ...more }));
  process.exitCode = 1;
}
`;

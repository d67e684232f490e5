// What the Khronos validator says about files: `node validate.mjs FOLDER LIST`.
//
// FOLDER holds node_modules/gltf-validator; LIST is a file with a JSON list of paths. Prints a JSON list of
// { file, severity, code, pointer, message }, severity being "error", "warning", "info" or "hint".

import fs from 'node:fs';
import path from 'node:path';
import { createRequire } from 'node:module';

const [folder, list] = process.argv.slice(2);
const validator = createRequire(path.resolve(folder, 'anything.js'))('gltf-validator');
const severities = ['error', 'warning', 'info', 'hint'];
const found = [];
for (const file of JSON.parse(fs.readFileSync(list, 'utf8'))) {
  const beside = uri => path.join(path.dirname(file), decodeURIComponent(uri));
  const report = await validator.validateBytes(new Uint8Array(fs.readFileSync(file)), {
    uri: path.basename(file),
    maxIssues: 1000,
    externalResourceFunction: async uri => new Uint8Array(fs.readFileSync(beside(uri))),
  });
  for (const { severity, code, pointer, message } of report.issues.messages) {
    found.push({ file, severity: severities[severity], code, pointer: pointer ?? '', message });
  }
}
process.stdout.write(JSON.stringify(found));

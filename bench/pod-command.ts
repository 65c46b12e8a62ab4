import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, Chart } from 'cdk8s';
import { operatorPod } from '#lib/constructs/operator/operator-pod';
import { OperatorImage } from '#lib/gitops/tree/operator-image';

/** Writes the files that a pod of the bundled operator mounts, and returns the pod's command line. */
export function podCommand(): readonly string[] {
  const chart = new Chart(new App(), 'operator');
  const pod = operatorPod(chart, {
    image: OperatorImage.bundled(),
    namespace: 'operator',
    openShift: false,
    container: { name: 'operator', args: [] },
    pod: {},
  });
  const folder = mkdtempSync(join(tmpdir(), 'operator-program-'));
  for (const { data = {}, binaryData = {} } of chart.toJson()) {
    for (const [file, text] of Object.entries(data as Record<string, string>)) writeFileSync(join(folder, file), text);
    for (const [file, base64] of Object.entries(binaryData as Record<string, string>)) {
      writeFileSync(join(folder, file), Buffer.from(base64, 'base64'));
    }
  }
  const { command = [], env = [], volumeMounts = [] } = pod.containers[0] ?? {};
  const mountPath = volumeMounts[0]?.mountPath ?? '';
  const settings = env.map(({ name, value }) => `${name}=${value}`);
  const [, ...words] = command;
  return ['/usr/bin/env', ...settings, process.execPath, ...words.map((word) => word.replace(mountPath, folder))];
}

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Platform } from '#lib/gitops/platform/platform';
import { temporaryDirectory } from '../gitops/synth/output/tree-on-disk';
import { component, configMap } from '../support/cluster-fixture';
import { runInMemory } from './fake-terminal';

// Fifteen seconds between two reads are long for a test: only its pauses take time, however long a read takes.
let mockNow = 0;
jest.mock('node:timers/promises', () => ({
  setTimeout: async (milliseconds: number) => {
    mockNow += milliseconds;
  },
}));
jest.spyOn(performance, 'now').mockImplementation(() => mockNow);

const directory = temporaryDirectory();

/** Writes the output of a small platform, and returns its folder. */
function writeOutput(): string {
  const outdir = join(directory.path, 'dist');
  const platform = new Platform({ repoUrl: 'https://git.example.com/platform.git', outdir });
  platform.addCluster('home', {}, (cluster) => configMap(component(cluster, 'shop'), 'settings', 'shop', {}));
  platform.synth();
  return outdir;
}

test('status --wait continues if the kubeconfig cannot be read once', async () => {
  const outdir = writeOutput();
  const config = {
    clusters: [{ name: 'home', cluster: { server: 'https://127.0.0.1:1' } }],
    contexts: [{ name: 'home', context: { cluster: 'home' } }],
  };
  const [kubectl, reads] = [join(directory.path, 'kubectl'), join(directory.path, 'reads')];
  const script = `echo >> ${reads}; [ $(wc -l < ${reads}) = 2 ] && exec echo '{"clus'; echo '${JSON.stringify(config)}'`;
  const view = `case "$*" in *view*) ${script};; *) echo unreachable >&2; exit 1;; esac`;
  writeFileSync(kubectl, `#!/bin/sh\n${view}\n`, { mode: 0o755 });
  const options = ['--wait', '50s', '--format', 'json', '--kubectl', kubectl];
  const { code, stdout, stderr } = await runInMemory(['status', '--from', outdir, ...options]);
  expect(code).toBe(1);
  expect(JSON.parse(stdout).clusters[0].findings[0].code).toBe('cluster-unreachable');
  expect(stderr.match(/0 of 1 clusters without errors/g)).toHaveLength(3);
});

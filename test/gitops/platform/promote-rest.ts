/**
 * Promotes the ring `rest` of an output with one cluster in it, as a program of its own. It reads the index of the cluster
 * when a file is there: arguments are the output's folder, the cluster and that file.
 */
import fs from 'node:fs';
import { Platform } from '#lib/gitops/platform/platform';
import { INDEX_FILE } from '#lib/gitops/synth/output/cluster-index';

const [outdir = '', cluster = '', signal = ''] = process.argv.slice(2);
const { openSync } = fs;
Object.assign(fs, {
  openSync: (...args: Parameters<typeof openSync>) => {
    while (String(args[0]).endsWith(INDEX_FILE) && !fs.existsSync(signal)) {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
    }
    return openSync(...args);
  },
});

const platform = new Platform({
  repoUrl: 'https://git.example.com/platform.git',
  outdir,
  rings: [{ name: 'rest', path: 'promoted' }],
});
platform.addCluster(cluster, { ring: 'rest' }, () => {});
platform.promote('rest');

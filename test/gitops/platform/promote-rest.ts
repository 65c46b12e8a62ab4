/**
 * A program that promotes the ring `rest` of an output with one cluster. It waits for a signal file before it reads the
 * index of the cluster. Arguments: the folder of the output, the cluster and the signal file.
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

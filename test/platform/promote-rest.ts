/** Promotes the ring `rest` of an output with one cluster in it, as a program of its own: arguments are both folders. */
import { Platform } from '../../lib/platform/platform';

const [outdir = '', cluster = ''] = process.argv.slice(2);
const platform = new Platform({
  repoUrl: 'https://git.example.com/platform.git',
  outdir,
  rings: [{ name: 'rest', path: 'promoted' }],
});
platform.addCluster(cluster, { ring: 'rest' }, () => {});
platform.promote('rest');

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Platform } from '#lib/gitops/platform/platform';
import { INDEX_FILE } from '#lib/gitops/synth/output/cluster-index';
import { OutputLock } from '#lib/gitops/synth/output/output-lock';
import { eventually } from '../../support/cluster/eventually';
import { component, configMap } from '../../support/cluster-fixture';
import { temporaryDirectory } from '../synth/output/tree-on-disk';

const directory = temporaryDirectory();
const at = (path: string) => join(directory.path, path);

test('synth refuses to write the output while another program promotes it', async () => {
  const outdir = at('dist');
  const synth = () => {
    const platform = new Platform({ repoUrl: 'https://git.example.com/platform.git', outdir, rings: ['rest'] });
    platform.addCluster('c', { ring: 'rest' }, (cluster) => configMap(component(cluster, 'shop'), 'settings', 'shop'));
    platform.synth();
  };
  synth();
  const text = readFileSync(join(outdir, 'c', INDEX_FILE), 'utf8');
  const program = join(__dirname, 'promote-rest.ts');
  const promoting = spawn(process.execPath, ['--import', 'tsx', program, outdir, 'c', at('go')], { stdio: 'inherit' });
  const ended = once(promoting, 'close');
  await eventually(() => expect(OutputLock.holder(outdir)).toMatchObject({ code: 'output-locked' }));
  expect(synth).toThrow(expect.objectContaining({ findings: [expect.objectContaining({ path: 'platform' })] }));
  writeFileSync(at('go'), '');
  expect(await ended).toEqual([0, null]);
  expect(OutputLock.holder(outdir)).toBeUndefined();
  expect(readFileSync(at(`promoted/c/${INDEX_FILE}`), 'utf8')).toBe(text);
});

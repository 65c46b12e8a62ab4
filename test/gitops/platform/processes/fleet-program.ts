/**
 * Synthesizes a fleet in rings, whose clusters are linked: `FOLDER MODE [OPTION]...`, with the options of Platform. The first
 * process waits in each builder until another one, if any is asked for, is at work, so that the work is shared however busy
 * the machine is. Beside the output it writes a line for each process that comes this far (`started`, `after`).
 */
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Cluster, Link, LinkerdControlPlane, Multicluster, Platform, TrustAnchor } from '../../../../lib';
import { addRule, addWarning } from '../../../../lib/gitops/tree/add-rule';
import { component, configMap } from '../../../support/cluster-fixture';
import { addPki } from '../../../support/control-plane-fixture';

const certificates = readFileSync('test/constructs/pki/fixtures/anchor.pem', 'utf8');
const external = [{ kind: 'ClusterIssuer', name: 'corporate' }] as const;
const [folder = '', mode = '', ...args] = process.argv.slice(2);
const at = (path: string) => join(folder, path);
const isHelper = process.env.CDK8S_LINKERD_HELPS !== undefined;
const isShared = args.includes('--jobs') && !args.includes('1') && mode !== 'second';
appendFileSync(at('started'), `${process.pid}\n`);
if (isHelper && mode === 'once') {
  writeFileSync(at('helping'), '');
  throw new Error('the address is in use');
}

const platform = new Platform({
  repoUrl: 'https://git.example.com/platform.git',
  outdir: at(isHelper && mode === 'elsewhere' ? 'other' : 'dist'),
  path: 'dist',
  rings: [
    { name: 'canary', release: 'edge-25.10.7' },
    { name: 'rest', release: 'edge-26.8.3', path: 'promoted' },
  ],
  acknowledge: { 'certificate-alerts-missing': 'somebody else watches them' },
  ...(mode === 'prop' ? { jobs: 1 } : {}),
});

function build(cluster: Cluster, links: readonly string[]): void {
  // Clusters that are linked are built by each process that wants to know of them.
  if (links.length === 0) {
    console.log(`building ${cluster.name}`);
    // As other programs do: a character in two parts, and not as text.
    process.stdout.write(Buffer.from('λ').subarray(0, 1));
    process.stdout.write('bb0a', 'hex');
  }
  if (isHelper) atHelper(cluster);
  else if (isShared) waitForHelper();
  if (mode === 'wrong' && cluster.name !== 'eu-1') {
    const problem = { code: `wrong-${cluster.name}`, what: 'It is wrong', why: 'It would break', fix: 'do better' };
    addRule(cluster, () => [problem]);
    addWarning(cluster, { ...problem, code: 'mesh-unscraped' });
    if (cluster.name === 'us-1') throw new Error('nothing is known of it');
  }
  if (links.length === 0) {
    configMap(component(cluster, 'shop'), 'settings', 'shop', { mode });
    addWarning(cluster, {
      code: 'certificate-alerts-missing',
      what: 'Nobody watches',
      why: 'Who knows',
      fix: 'have it watched',
    });
    return;
  }
  const trustAnchor = TrustAnchor.fromPem({ certificates, issuer: { name: 'corporate' } });
  const { pki, trust } = addPki(cluster, { trustAnchor });
  const props = { pki, trust, crds: { gatewayApi: 'existing' }, highAvailability: false } as const;
  const controlPlane = new LinkerdControlPlane(cluster, 'linkerd', props);
  const gateway = { addresses: [`gateway.${cluster.name}.example.com`] };
  const multicluster = new Multicluster(cluster, 'multicluster', { controlPlane, gateway });
  for (const name of links) new Link(cluster, `link-${name}`, { multicluster, target: platform.cluster(name) });
}

function atHelper({ name }: Cluster): void {
  appendFileSync(at('helping'), `${process.pid} ${name}\n`);
  if (mode === 'killed') process.kill(process.pid, 'SIGKILL');
  if (mode === 'ends') process.exit(0);
  if (mode === 'full') throw Object.assign(new Error('no space left'), { syscall: 'write' });
}

function waitForHelper(): void {
  while (!existsSync(at('helping')) && !isHelperGone())
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
  if (mode === 'parent-killed') process.kill(process.pid, 'SIGKILL');
}

function isHelperGone(): boolean {
  const started = readFileSync(at('started'), 'utf8').trim().split('\n');
  return started.some((pid) => {
    try {
      return !process.kill(Number(pid), 0);
    } catch {
      return true;
    }
  });
}

const clusters = [
  ['eu-1', 'canary', ['us-1']],
  ['eu-2', 'canary', []],
  ['us-1', 'rest', ['eu-1']],
  ['us-2', 'rest', []],
  ['us-3', 'rest', []],
] as const;
for (const [name, ring, links] of clusters) {
  platform.addCluster(name, { ring, destination: { name }, external }, (cluster) => build(cluster, links));
}
if (mode === 'second') {
  const other = new Platform({ repoUrl: 'https://git.example.com/other.git', outdir: at('other') });
  other.addCluster('other', {}, (cluster) => build(cluster, []));
  other.synth();
}
platform.run(args);
appendFileSync(at('after'), `${process.pid}\n`);

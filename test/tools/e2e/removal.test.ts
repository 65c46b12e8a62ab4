import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Kubectl } from '../../../tools/e2e/kubectl';
import { CLUSTER, FIRST_STATE, TRAFFIC } from '../../../tools/e2e/program';
import { RUN_LABEL } from '../../../tools/e2e/refusals';
import { REMOVAL } from '../../../tools/e2e/steps/removal';
import { TrafficRecord } from '../../../tools/e2e/traffic';
import type { Walk } from '../../../tools/e2e/walk';

const RUN = 'e2e-1';
const CONFIG = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'config', namespace: 'kube-system' } };
const KEPT = {
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name: 'linkerd', annotations: { 'argocd.argoproj.io/sync-options': 'Prune=false,Delete=false' } },
};
const namespace = (name: string) => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name, uid: name, labels: { [RUN_LABEL]: RUN } },
});

type Lost = 'the request' | 'the answer';

/** A cluster of namespaces and ConfigMaps, which does not answer the first deletion of each object. */
class ForgetfulCluster extends Kubectl {
  readonly deletions: string[] = [];
  private pauses = 0;
  private readonly objects = new Map<string, string>([
    [`Namespace ${TRAFFIC}`, `Namespace v1 <none> ${TRAFFIC} ${TRAFFIC} <none> ${RUN}`],
    ['Namespace linkerd', `Namespace v1 <none> linkerd linkerd <none> ${RUN}`],
    ['Namespace default', 'Namespace v1 <none> default default <none> <none>'],
    ['ConfigMap config', `ConfigMap v1 kube-system config config <none> ${RUN}`],
  ]);

  constructor(private readonly lost: Lost) {
    super({ context: 'test', program: 'kubectl' });
  }

  override async pause(): Promise<void> {
    this.pauses += 1;
    if (this.pauses > 10) throw new Error(`It still waits after ${this.deletions.join(', ')}.`);
  }

  override async run(args: readonly string[], input?: string) {
    const [verb, what, name] = args;
    if (verb === 'delete') return this.remove(what === '-f' ? namesIn(input) : [`Namespace ${name}`]);
    if (verb === 'api-resources') return printed('namespaces\nconfigmaps\n');
    if (!args.includes('json')) return printed([...this.objects.values()].join('\n'));
    const items = [TRAFFIC, 'linkerd'].filter((one) => this.objects.has(`Namespace ${one}`)).map(namespace);
    return printed(JSON.stringify({ items }));
  }

  private remove(names: readonly string[]) {
    const isFirst = names.some((name) => !this.deletions.includes(name));
    this.deletions.push(...names);
    if (!isFirst || this.lost === 'the answer') for (const name of names) this.objects.delete(name);
    return isFirst ? { code: 1, stdout: '', stderr: 'Unable to connect to the server: EOF' } : printed('');
  }
}

const printed = (stdout: string) => ({ code: 0, stdout, stderr: '' });

function namesIn(input = '{"items":[]}'): readonly string[] {
  const { items } = JSON.parse(input) as { items: readonly (typeof CONFIG)[] };
  return items.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
}

let outdir: string;

beforeAll(() => {
  outdir = mkdtempSync(join(tmpdir(), 'removal-'));
  for (const [folder, object] of Object.entries({ 'kube-system': CONFIG, linkerd: KEPT })) {
    mkdirSync(join(outdir, CLUSTER, folder), { recursive: true });
    writeFileSync(join(outdir, CLUSTER, folder, 'object.yaml'), JSON.stringify(object));
  }
});

afterAll(() => rmSync(outdir, { recursive: true, force: true }));

test.each(['the request', 'the answer'] as const)(
  'a removal deletes again what is still there after %s of a deletion was lost',
  async (lost) => {
    const cluster = new ForgetfulCluster(lost);
    const walk: Walk = {
      cluster,
      settings: { run: RUN, existingCertManager: true, existingGatewayApi: true, rate: 1, propagationSeconds: 1 },
      context: 'test',
      outdir,
      charts: outdir,
      kubeVersion: '',
      before: [{ kind: 'Namespace', apiVersion: 'v1', name: 'default', uid: 'default', isOwned: false }],
      traffic: new TrafficRecord(),
      state: FIRST_STATE,
      waiting: '',
      note: () => undefined,
    };
    expect((await REMOVAL.run(walk)).text).toContain('nothing is left of 2 objects');
    const times = lost === 'the request' ? 2 : 1;
    for (const name of [`Namespace ${TRAFFIC}`, 'ConfigMap config', 'Namespace linkerd']) {
      expect([name, cluster.deletions.filter((one) => one === name).length]).toEqual([name, times]);
    }
  },
);

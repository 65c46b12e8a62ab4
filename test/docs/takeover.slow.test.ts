import { watchMesh } from '../support/anchor/mesh-watch';
import { argoCdManifests } from '../support/argocd/argocd-install';
import { type KubeObject, ref } from '../support/cluster/objects';
import { guideRigOfFile } from '../support/guide/guide-rig';
import { CRDS, chartObjects, cliInstall, GUIDE_PKI, helmInstall, isOfRelease } from '../support/guide/helm-mesh';
import { CHARTS } from '../support/guide/mesh-players';
import { stepsOf } from '../support/guide/read-guide';

/** The values of a user of Linkerd's guide on cert-manager, with another log level. */
const CONTROL_PLANE = {
  identity: { externalCA: true, issuer: { scheme: 'kubernetes.io/tls' } },
  policyValidator: { externalSecret: true, injectCaFrom: 'linkerd/linkerd-policy-validator' },
  profileValidator: { externalSecret: true, injectCaFrom: 'linkerd/linkerd-sp-validator' },
  proxyInjector: { externalSecret: true, injectCaFrom: 'linkerd/linkerd-proxy-injector' },
  proxy: { logLevel: 'warn' },
};
const VIZ = {
  tap: { externalSecret: true, injectCaFrom: 'linkerd-viz/tap' },
  tapInjector: { externalSecret: true, injectCaFrom: 'linkerd-viz/tap-injector' },
};

/** The test mostly waits, and takes longer on a busy machine. */
const LONG_MS = 600_000;

const uids = (objects: readonly KubeObject[]) =>
  Object.fromEntries(
    objects.map(({ kind, metadata }) => [`${kind}/${metadata.namespace}/${metadata.name}`, metadata.uid]),
  );

/** The number of pod templates that each Deployment has had. */
const revisions = (objects: readonly KubeObject[]) =>
  Object.fromEntries(
    objects.map(({ metadata }) => [metadata.name, Number(metadata.annotations?.['deployment.kubernetes.io/revision'])]),
  );

const managersOf = ({ metadata }: KubeObject) => metadata.managedFields?.map(({ manager }) => manager) ?? [];

/** Objects that `helm rollback` and `linkerd upgrade` read. */
const isRecord = ({ metadata: { name, labels } }: KubeObject) =>
  labels?.owner === 'helm' || name === 'linkerd-config-overrides';

describe.each([
  { installer: 'helm', install: helmInstall, manager: 'helm' },
  { installer: 'cli', install: cliInstall, manager: 'kubectl-client-side-apply' },
] as const)('the takeover guide, for a mesh from $installer', ({ installer, install, manager }) => {
  const rig = guideRigOfFile();
  let installed: readonly KubeObject[];

  beforeAll(async () => {
    const { cluster, players } = rig;
    const meshed = { annotations: { 'linkerd.io/inject': 'enabled' } };
    const namespaces = [
      { name: 'argocd' },
      { name: 'cert-manager' },
      { name: 'linkerd', labels: { 'linkerd.io/is-control-plane': 'true' } },
      { name: 'linkerd-viz', ...meshed },
      { name: 'shop', ...meshed },
    ].map((metadata) => ({ apiVersion: 'v1', kind: 'Namespace', metadata }));
    const definitions = [...CHARTS['cert-manager'], ...CHARTS['trust-manager'], ...argoCdManifests('argocd')];
    await cluster.applyAll([...namespaces, ...definitions, ...GUIDE_PKI], { fieldManager: 'kubectl' });

    const releases = [
      { name: 'linkerd-crds', namespace: 'linkerd', values: {}, objects: CRDS },
      ...[
        { name: 'linkerd-control-plane' as const, namespace: 'linkerd', values: CONTROL_PLANE },
        { name: 'linkerd-viz' as const, namespace: 'linkerd-viz', values: VIZ },
      ].map((release) => ({ ...release, objects: chartObjects(release.name, release.values, installer) })),
    ];
    for (const release of releases.slice(0, 2)) await install(cluster, release);
    await players.injector();
    for (const release of releases.slice(2)) await install(cluster, release);
    installed = releases.flatMap(({ objects }) => objects).filter(isOfRelease);
    const labels = { app: 'web' };
    const template = { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'web' }] } };
    await cluster.apply({
      ...ref('apps/v1', 'Deployment', 'web', 'shop'),
      spec: { replicas: 3, selector: { matchLabels: labels }, template },
    });
    for (const workload of await deployments()) await cluster.rolledOut(workload);
    rig.startArgoCd();
  });

  async function deployments(): Promise<readonly KubeObject[]> {
    const all = ['linkerd', 'linkerd-viz', 'shop'].map((namespace) =>
      rig.cluster.list('apps/v1', 'Deployment', { namespace }),
    );
    return (await Promise.all(all)).flat();
  }

  test(
    'moves all installed objects into Git, followed literally, without a failed request in the mesh',
    async () => {
      const { cluster, players, reader } = rig;
      const before = await Promise.all(installed.map((object) => cluster.get(object)));
      const pods = await cluster.list('v1', 'Pod', { namespace: 'shop' });
      const templates = revisions(await deployments());
      expect(Object.values(templates)).toEqual(Object.values(templates).map(() => 1));
      expect(before.every((object) => managersOf(object).includes(manager))).toBe(true);

      const watch = watchMesh(players);
      try {
        for (const step of stepsOf('docs/takeover.md', installer)) await reader.follow(step);
      } finally {
        await watch.stop();
      }
      expect(watch.failures()).toEqual([]);

      const after = await Promise.all(installed.map((object) => cluster.get(object)));
      expect(uids(after)).toEqual(uids(before));
      expect(uids(await cluster.list('v1', 'Pod', { namespace: 'shop' }))).toEqual(uids(pods));
      const rolled = revisions(await deployments());
      expect(rolled).toEqual({
        ...Object.fromEntries(Object.keys(templates).map((name) => [name, 2])),
        web: expect.anything(),
      });
      const others = after.filter(({ kind }) => kind !== 'CustomResourceDefinition');
      expect(others.filter((object) => managersOf(object).includes(manager))).toEqual([]);
      expect(others.filter((object) => !managersOf(object).includes('argocd-controller'))).toEqual([]);
      const records = (await cluster.list('v1', 'Secret')).filter(isRecord);
      expect(records).toEqual([]);
    },
    LONG_MS,
  );
});

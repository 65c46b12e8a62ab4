import { App, Chart } from 'cdk8s';
import { parse } from 'yaml';
import { CertManager, type Cluster, LinkerdMesh, type LinkerdMeshProps, type LinkerdVersion, TrustManager } from '#lib';
import { buildCluster } from '#lib/gitops/synth/build-cluster';
import { errorsIn } from '../../support/findings';
import { plainObjects } from '../../support/plain-app';

function synth(build: (cluster: Cluster) => void) {
  const { files, findings } = buildCluster({ name: 'home', props: {}, build });
  expect(errorsIn(findings)).toEqual([]);
  return new Map([...files].map(([path, text]) => [path, parse(text)]));
}

function mesh<V extends LinkerdVersion>(props: LinkerdMeshProps<V> = {}) {
  return synth((cluster) => {
    new LinkerdMesh<V>(cluster, 'mesh', { delivery: 'helm', ...props });
  });
}

const folders = (files: ReadonlyMap<string, unknown>) => [
  ...new Set([...files.keys()].map((path) => path.split('/')[0])),
];

describe('LinkerdMesh', () => {
  it('creates a complete mesh without any props', () => {
    const files = mesh();
    expect(folders(files).sort()).toEqual(['cert-manager', 'kube-system', 'linkerd', 'linkerd-crds', 'linkerd-viz']);
    expect(files.get('linkerd/values.yaml')['linkerd-control-plane'].highAvailability).toBe(true);
    expect(files.get('linkerd-viz/values.yaml')['linkerd-viz'].prometheus.enabled).toBe(true);
  });

  it('runs one replica of everything without high availability', () => {
    const values = mesh({ highAvailability: false }).get('linkerd/values.yaml')['linkerd-control-plane'];
    expect(values.controllerReplicas).toBeUndefined();
  });

  it('omits Viz on demand', () => expect(folders(mesh({ viz: false }))).not.toContain('linkerd-viz'));

  it('attaches namespaces to the CNI plugin by Multus', () => {
    const files = mesh({ cni: {}, multus: { namespaces: ['shop', 'linkerd-viz', 'tracing'] } });
    expect(files.has('shop/networkattachmentdefinition.linkerd-cni.yaml')).toBe(true);
  });

  it('creates an operator on demand', () => {
    expect(folders(mesh())).not.toContain('linkerd-reconciler');
    const files = mesh({ delivery: undefined, operator: { replicas: 3 }, monitoring: { namespace: 'monitoring' } });
    expect(files.get('linkerd-reconciler/deployment.linkerd-reconciler.yaml').spec.replicas).toBe(3);
    expect(files.has('monitoring/podmonitor.linkerd-reconciler.yaml')).toBe(true);
  });

  const multus = { cni: {}, multus: { namespaces: ['linkerd-viz'] } };

  it.each<[LinkerdMeshProps, string]>([
    [{ operator: {} }, '--no-multus'],
    [{ ...multus, operator: {} }, '--cni-namespace=linkerd-cni'],
    // The pods of the operator are annotated directly.
    [{ ...multus, operator: { multus: false } }, '--no-multus'],
  ])('with %j creates an operator with the argument %s', (props, argument) => {
    const files = mesh({ delivery: undefined, ...props });
    const { template } = files.get('linkerd-reconciler/deployment.linkerd-reconciler.yaml').spec;
    expect(template.spec.containers[0].args).toContain(argument);
  });

  it('passes the namespace of the operator to Multus, which refuses the namespace of the CNI plugin', () => {
    const { findings } = buildCluster({
      name: 'home',
      props: {},
      build: (cluster) => {
        const operator = { namespace: 'linkerd-cni' };
        new LinkerdMesh(cluster, 'mesh', { cni: {}, multus: { namespaces: ['linkerd-viz'] }, operator });
      },
    });
    expect(findings.map(({ problem }) => problem)).toContainEqual(
      expect.objectContaining({
        code: 'operator-namespace-taken',
        parameters: { field: 'operatorNamespace', namespace: 'linkerd-cni', owner: 'CNI plugin' },
      }),
    );
  });

  it('rotates the certificates of all its parts on demand', () => {
    const job = 'linkerd/cronjob.linkerd-restarter.yaml';
    expect(mesh().has(job)).toBe(false);
    const { spec } = mesh({ delivery: undefined, rotation: {} }).get(job);
    const { args } = spec.jobTemplate.spec.template.spec.containers[0];
    expect(args.join()).toContain('linkerd-viz/tap');
  });

  it('creates one ConfigMap with the program for operator and rotation', () => {
    const files = mesh({ delivery: undefined, rotation: {}, operator: {} });
    const programs = [...files.keys()].filter((path) => path.includes('linkerd-reconciler-program'));
    expect(programs).toEqual(['linkerd-reconciler/configmap.linkerd-reconciler-program.yaml']);
    expect(files.has('linkerd-reconciler/cronjob.linkerd-restarter.yaml')).toBe(true);
  });

  it('puts monitors and alerts into the namespace and under the labels of the prop monitoring', () => {
    const files = mesh({ monitoring: { namespace: 'monitoring', labels: { release: 'kps' } } });
    const paths = [...files.keys()].filter((path) => path.startsWith('monitoring/'));
    expect(paths).toEqual(expect.arrayContaining(['monitoring/prometheusrule.linkerd-certificates.yaml']));
    const metrics = files.get('cert-manager/values.yaml')['cert-manager'].prometheus.podmonitor;
    expect(metrics).toEqual({ enabled: true, labels: { release: 'kps' } });
    expect(paths).toHaveLength(4);
    for (const path of paths) expect(files.get(path).metadata.labels.release).toBe('kps');
  });

  it('uses an existing cert-manager and trust-manager', () => {
    const files = synth((cluster) => {
      const certManager = CertManager.fromExisting(cluster, 'cert-manager');
      const trustManager = TrustManager.fromExisting(cluster, 'trust-manager');
      new LinkerdMesh(cluster, 'mesh', { certManager, trustManager });
    });
    expect(files.has('cert-manager/Chart.yaml')).toBe(false);
    expect(files.has('cert-manager/certificate.linkerd-trust-anchor.yaml')).toBe(true);
  });

  it('writes nothing into the namespace of a plain chart', () => {
    const chart = new Chart(new App(), 'mesh', { namespace: 'somewhere' });
    new LinkerdMesh(chart, 'mesh', {
      delivery: 'helm',
      cni: {},
      tempo: { namespace: 'tracing', service: 'tempo', serviceAccount: 'tempo', query: { service: 'tempo-query' } },
      multus: { namespaces: ['shop', 'linkerd-viz', 'tracing'] },
    });
    expect(plainObjects(chart).filter(({ metadata }) => metadata.namespace === 'somewhere')).toEqual([]);
  });
});

import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { stringify } from 'yaml';
import type { Values } from '#base/values';
import { renderChart } from '#lib/cli/render-chart';
import type { Cluster } from '../cluster/cluster';
import { type KubeObject, ref } from '../cluster/objects';
import { goTool } from '../go-tools';
import { CHARTS } from './mesh-players';
import type { Installer } from './read-guide';

const HELM = goTool('helm');
const KUBECTL = goTool('kubectl');

/** The objects of Linkerd's guide on cert-manager: the trust anchor, the identity issuer, and the trust bundle. */
export const GUIDE_PKI: readonly KubeObject[] = [
  { ...ref('cert-manager.io/v1', 'Issuer', 'linkerd-trust-root-issuer', 'cert-manager'), spec: { selfSigned: {} } },
  {
    ...ref('cert-manager.io/v1', 'Certificate', 'linkerd-trust-anchor', 'cert-manager'),
    spec: {
      ...authority('root.linkerd.cluster.local', 'linkerd-trust-anchor'),
      duration: '8760h',
      renewBefore: '7320h',
      issuerRef: { kind: 'Issuer', name: 'linkerd-trust-root-issuer' },
    },
  },
  {
    ...ref('cert-manager.io/v1', 'ClusterIssuer', 'linkerd-identity-issuer'),
    spec: { ca: { secretName: 'linkerd-trust-anchor' } },
  },
  {
    ...ref('cert-manager.io/v1', 'Certificate', 'linkerd-identity-issuer', 'linkerd'),
    spec: {
      ...authority('identity.linkerd.cluster.local', 'linkerd-identity-issuer'),
      duration: '48h',
      renewBefore: '25h',
      issuerRef: { kind: 'ClusterIssuer', name: 'linkerd-identity-issuer' },
    },
  },
  {
    ...ref('trust.cert-manager.io/v1alpha1', 'Bundle', 'linkerd-identity-trust-roots'),
    spec: {
      sources: [{ secret: { name: 'linkerd-trust-anchor', key: 'tls.crt' } }],
      target: {
        configMap: { key: 'ca-bundle.crt' },
        namespaceSelector: { matchLabels: { 'linkerd.io/is-control-plane': 'true' } },
      },
    },
  },
];

function authority(commonName: string, secretName: string) {
  return {
    commonName,
    secretName,
    isCA: true,
    privateKey: { algorithm: 'ECDSA', rotationPolicy: 'Always' },
    usages: ['cert sign', 'crl sign', 'server auth', 'client auth'],
  };
}

/** An installation with Helm or the CLI: its objects, and the user's values. */
export interface Installation {
  readonly name: string;
  readonly namespace: string;
  readonly values: object;
  readonly objects: readonly KubeObject[];
}

/**
 * The objects of a chart of Linkerd: the library's renders, which equal Helm's, with the name of their installer. It
 * leaves out webhooks and API services, since their servers do not run.
 */
export function chartObjects(
  chart: 'linkerd-control-plane' | 'linkerd-viz',
  values: object,
  installer: Installer,
): readonly KubeObject[] {
  const rendered = renderChart({ chart, values: values as Values });
  if ('problems' in rendered) throw new Error(JSON.stringify(rendered.problems));
  const text = JSON.stringify(rendered.objects).replaceAll('"cdk8s-linkerd edge-', `"linkerd/${installer} edge-`);
  const objects: readonly KubeObject[] = JSON.parse(text);
  return objects.filter(({ kind }) => !/WebhookConfiguration|APIService/.test(kind));
}

/** Linkerd's CRDs. */
export const CRDS = CHARTS['linkerd-crds'];

/** Installs a release with Helm, from a chart of these objects. */
export async function helmInstall(cluster: Cluster, { name, namespace, values, objects }: Installation): Promise<void> {
  const chart = mkdtempSync(join(tmpdir(), 'chart-'));
  mkdirSync(join(chart, 'templates'));
  writeFileSync(join(chart, 'Chart.yaml'), stringify({ apiVersion: 'v2', name, version: '2026.8.3' }));
  writeFileSync(join(chart, 'given.yaml'), stringify(values));
  const manifests = objects.map((object) => stringify(object).replaceAll('{{', '{{`{{`}}')).join('---\n');
  writeFileSync(join(chart, 'templates', 'all.yaml'), manifests);
  const where = ['--namespace', namespace, '--kubeconfig', cluster.kubeconfig()];
  // Helm must not block this process: Helm's hooks need pods, and this process simulates their injector.
  await promisify(execFile)(HELM, ['install', name, chart, '--values', join(chart, 'given.yaml'), ...where]);
  rmSync(chart, { recursive: true });
}

/** Installs as the CLI's documentation says: `linkerd install | kubectl apply -f -`. */
export async function cliInstall(cluster: Cluster, { name, values, objects }: Installation): Promise<void> {
  const printed = objects.filter(isOfRelease);
  if (name === 'linkerd-control-plane') printed.push(overrides(values));
  const manifest = join(mkdtempSync(join(tmpdir(), 'manifest-')), 'all.json');
  writeFileSync(manifest, JSON.stringify({ apiVersion: 'v1', kind: 'List', items: printed }));
  await promisify(execFile)(KUBECTL, ['apply', '-f', manifest, '--kubeconfig', cluster.kubeconfig()]);
  rmSync(dirname(manifest), { recursive: true });
}

/** The Secret in which the CLI records the values of the control plane. */
function overrides(values: object): KubeObject {
  return {
    ...ref('v1', 'Secret', 'linkerd-config-overrides', 'linkerd'),
    stringData: { 'linkerd-config-overrides': stringify(values) },
  };
}

/** Whether an object belongs to a release. Helm does not record hooks in a release. */
export function isOfRelease({ metadata }: KubeObject): boolean {
  return metadata.annotations?.['helm.sh/hook'] === undefined;
}

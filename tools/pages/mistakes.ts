import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiObject, Duration } from 'cdk8s';
import { Job } from 'cdk8s-plus-28';
import type { Finding } from '#base/findings/finding';
import {
  type Cluster,
  HelmRelease,
  LinkerdMesh,
  type LinkerdMeshProps,
  Meshing,
  Platform,
  Prometheus,
  TrustAnchor,
} from '#lib';
import { formatErrors, formatWarnings, SynthError } from '#lib/gitops/platform/report';
import { type Blocks, fenced, wrapped } from './blocks';

interface Mistake {
  readonly build: (cluster: Cluster) => void;
  /** The code of the finding to show, if the mistake has several findings. */
  readonly code?: string;
}

type MeshProps = LinkerdMeshProps<'edge-26.8.3'>;

const mesh = (props: MeshProps) => (cluster: Cluster) => {
  new LinkerdMesh(cluster, 'mesh', { crds: { gatewayApi: 'install' }, ...props });
};

const hours = (duration: number, renewBefore: number) => ({
  duration: Duration.hours(duration),
  renewBefore: Duration.hours(renewBefore),
});

const certificate = (renewBefore: unknown) => ({
  apiVersion: 'cert-manager.io/v1',
  kind: 'Certificate',
  metadata: { name: 'jaeger-injector', namespace: 'linkerd' },
  spec: {
    secretName: 'jaeger-injector-k8s-tls',
    duration: '168h',
    renewBefore,
    issuerRef: { name: 'internal-ca', kind: 'ClusterIssuer' },
    dnsNames: ['jaeger-injector.linkerd-jaeger.svc'],
  },
});

const MISTAKES: Readonly<Record<string, Mistake>> = {
  windows: {
    build: mesh({
      pki: {
        trustAnchor: hours(336, 24),
        identityIssuer: hours(168, 24),
        webhookIssuer: hours(336, 24),
        webhooks: hours(168, 24),
      },
    }),
  },
  'two-months': { build: mesh({ pki: { trustAnchor: hours(8760, 7320) } }) },
  automatic: {
    build: mesh({
      pki: {
        trustAnchor: { duration: Duration.days(730), renewBefore: Duration.days(180), rotation: 'automatic-unsafe' },
      },
    }),
    code: 'anchor-renewal-automatic',
  },
  'bundle-source': {
    build: mesh({
      pki: { trustAnchor: TrustAnchor.fromSecret({ secretName: 'linkerd-identity-issuer', key: 'ca.crt' }) },
    }),
  },
  'private-key': {
    build: mesh({
      values: {
        identity: { issuer: { tls: { keyPEM: '-----BEGIN EC PRIVATE KEY-----\nMHcC\n-----END EC PRIVATE KEY-----' } } },
      },
    }),
  },
  'second-source': { build: mesh({ values: { identityTrustAnchorsPEM: '-----BEGIN CERTIFICATE-----' } }) },
  'no-unit': {
    build: (cluster) => {
      mesh({})(cluster);
      new ApiObject(cluster, 'certificate', certificate(24));
    },
    code: 'field-refused',
  },
  'wrong-namespace': {
    build: (cluster) => {
      mesh({})(cluster);
      new ApiObject(cluster, 'certificate', certificate('24h'));
      const webhook = {
        apiVersion: 'admissionregistration.k8s.io/v1',
        kind: 'MutatingWebhookConfiguration',
        metadata: {
          name: 'jaeger-injector',
          annotations: { 'cert-manager.io/inject-ca-from': 'linkerd/jaeger-injector' },
        },
        webhooks: [
          {
            name: 'jaeger-injector.linkerd.io',
            clientConfig: { service: { name: 'jaeger-injector', namespace: 'linkerd' } },
            admissionReviewVersions: ['v1'],
            sideEffects: 'None',
          },
        ],
      };
      new ApiObject(cluster, 'webhook', webhook);
    },
    code: 'webhook-certificate-refused',
  },
  'any-host': {
    build: mesh({ viz: { prometheus: Prometheus.embedded(), enforcedHostRegexp: '.*' } }),
    code: 'host-regexp-too-broad',
  },
  'gone-image': {
    build: (cluster) => {
      mesh({})(cluster);
      new Job(cluster, 'restarter', {
        metadata: { name: 'linkerd-restarter', namespace: 'linkerd' },
        containers: [{ image: 'bitnami/kubectl' }],
      });
    },
  },
  'endless-job': {
    build: (cluster) => {
      const { controlPlane } = new LinkerdMesh(cluster, 'mesh', {
        version: 'stable-2.14.10',
        crds: { gatewayApi: 'install' },
      });
      new Meshing(cluster, 'meshing', { controlPlane }).namespace('shop');
      new Job(cluster, 'migration', {
        metadata: { name: 'migration', namespace: 'shop' },
        containers: [{ image: 'mysql:8.4' }],
      });
    },
    code: 'job-never-ends',
  },
  'misspelt-value': {
    build: (cluster) => {
      // @ts-expect-error: the compiler also refuses the misspelt name.
      new LinkerdMesh(cluster, 'mesh', { crds: { gatewayApi: 'install' }, values: { controlerReplicas: 2 } });
    },
  },
  range: {
    build: (cluster) => {
      mesh({})(cluster);
      new HelmRelease(cluster, 'velero', {
        chart: {
          name: 'velero',
          version: '11.x',
          repository: 'https://vmware-tanzu.github.io/helm-charts',
          kinds: [],
          foreignNamespaces: [],
        },
        namespace: 'linkerd',
      });
    },
  },
};

/** The findings of each mistake, as a synthesis prints them. */
export function mistakeBlocks(): Blocks {
  const texts = Object.entries(mistakeTexts(Object.keys(MISTAKES)));
  return Object.fromEntries(texts.map(([name, text]) => [`mistake-${name}`, fenced(wrapped(text))]));
}

/** The findings of some mistakes, without line breaks in sentences. */
export function mistakeTexts(names: readonly string[]): Readonly<Record<string, string>> {
  const folder = mkdtempSync(join(tmpdir(), 'mistakes-'));
  try {
    return Object.fromEntries(
      names.map((name) => {
        const mistake = MISTAKES[name];
        if (mistake === undefined) throw new Error(`there is no mistake "${name}"`);
        return [name, found(mistake, folder)];
      }),
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function found({ build, code }: Mistake, folder: string): string {
  const outdir = join(folder, 'dist');
  const platform = new Platform({ repoUrl: 'https://git.example.com/platform.git', outdir });
  platform.addCluster('home', {}, build);
  const isMeant = ({ problem }: Finding) => code === undefined || problem.code === code;
  try {
    const warnings = platform.synth({ check: true }).warnings.filter(isMeant);
    if (code === undefined || warnings.length === 0) throw new Error('no rule finds the mistake');
    return formatWarnings(warnings);
  } catch (error) {
    if (!(error instanceof SynthError)) throw error;
    const errors = error.findings.filter(isMeant);
    if (errors.length === 0) throw new Error(`no rule finds the mistake: ${error.message}`);
    return formatErrors(errors).replace(/\n\nNothing was written.*$/, '');
  }
}

import { Cron, Duration, Testing } from 'cdk8s';
import { LinkerdControlPlane } from '#lib/constructs/control-plane/linkerd-control-plane';
import { ReconcilerOperator } from '#lib/constructs/operator/reconciler-operator';
import type { CertManagerPKIProps } from '#lib/constructs/pki/cert-manager-pki';
import { CertRotationCronJob, type CertRotationCronJobProps } from '#lib/constructs/rotation/cert-rotation-cron-job';
import { activeDeadlineSeconds } from '#lib/constructs/rotation/rotation-job';
import { JaegerToTempo } from '#lib/constructs/tracing/jaeger-to-tempo';
import { Prometheus } from '#lib/constructs/viz/prometheus';
import { Viz } from '#lib/constructs/viz/viz';
import { OperatorImage } from '#lib/gitops/tree/operator-image';
import { dependenciesOf } from '#lib/gitops/tree/order';
import { prepareTree } from '#lib/gitops/tree/prepare';
import type { LinkerdVersion } from '#linkerd/releases/known-releases';
import { ROTATE_FLAGS } from '#operator/src/rotation/rotate-options';
import { addPki } from '../../support/control-plane-fixture';
import { findingsAt, ruleErrorsIn, ruleFindingsIn } from '../../support/findings';
import { plainObjects } from '../../support/plain-app';
import { addControlPlane, build } from '../operator/fixture';

const tempo = { service: 'tempo-distributor', namespace: 'tracing', serviceAccount: 'tempo' };

/** A mesh with a rotation, which is created after `extensions`. */
function mesh(
  props: Partial<CertRotationCronJobProps> = {},
  { version = 'edge-26.8.3', extensions = false, pki: pkiProps = {} as Partial<CertManagerPKIProps> } = {},
) {
  const chart = Testing.chart();
  const controlPlane = new LinkerdControlPlane<LinkerdVersion>(chart, 'linkerd', {
    ...addPki(chart, pkiProps),
    version: version as LinkerdVersion,
  });
  const addExtensions = () => {
    const viz = new Viz(chart, 'viz', { controlPlane, prometheus: Prometheus.embedded() });
    return [viz, new JaegerToTempo(chart, 'tracing', { controlPlane, tempo })] as const;
  };
  const made = extensions ? addExtensions() : [];
  const rotation = new CertRotationCronJob(chart, 'rotation', { controlPlane, ...props });
  return { chart, controlPlane, rotation, made, addExtensions };
}

interface AnyObject {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  // biome-ignore lint/suspicious/noExplicitAny: objects of all kinds
  readonly [field: string]: any;
}

function objectsOf(rotation: CertRotationCronJob): readonly AnyObject[] {
  prepareTree(rotation, 'cdk8s');
  return rotation.node.children.map((child) => (child as unknown as { toJson(): AnyObject }).toJson());
}

function cronJobOf(rotation: CertRotationCronJob) {
  return objectsOf(rotation).find(({ kind }) => kind === 'CronJob')?.spec;
}

function containerOf(rotation: CertRotationCronJob) {
  return cronJobOf(rotation).jobTemplate.spec.template.spec.containers[0];
}

describe('the rotation of certificates', () => {
  test('includes the webhook of the Jaeger extension of 2.14 in its namespace', () => {
    const { rotation } = mesh({}, { version: 'stable-2.14.10', extensions: true });
    expect(containerOf(rotation).args.at(-1)).toBe('--unit=linkerd-jaeger/jaeger-injector=jaeger-injector');
    expect(rotation.units).toHaveLength(6);
  });

  test('restarts the Deployments that mount the Secrets', () => {
    const { chart, rotation } = mesh({}, { extensions: true });
    const mounting = (plainObjects(chart) as AnyObject[])
      .filter(({ kind }) => kind === 'Deployment')
      .flatMap(({ metadata, spec }) =>
        (spec.template.spec.volumes as { secret?: { secretName: string } }[]).flatMap(({ secret }) =>
          secret === undefined ? [] : [`${metadata.namespace}/${metadata.name} ${secret.secretName}`],
        ),
      );
    const rotated = rotation.units.flatMap(({ namespace, deployment, secrets }) =>
      secrets.map((secret) => `${namespace}/${deployment} ${secret}`),
    );
    expect(rotated.sort()).toEqual(mounting.sort());
  });
});

describe('the CronJob of the rotation', () => {
  test.each([
    ['the control plane', {}, 3, 4],
    ['extensions', { extensions: true }, 5, 6],
  ])('has a deadline for slow restarts: %s', (_name, options, deployments, certificates) => {
    const { rotation } = mesh({}, options);
    const { rolloutTimeout, renewalTimeout } = ROTATE_FLAGS;
    const slow = deployments * rolloutTimeout.default + certificates * renewalTimeout.default;
    expect(containerOf(rotation).args.join(' ')).not.toContain('timeout');
    expect(cronJobOf(rotation).jobTemplate.spec.activeDeadlineSeconds).toBe(60 + slow / 1000);
  });

  test('has a deadline of at least ten minutes', () => {
    const unit = { namespace: 'linkerd', deployment: 'linkerd-identity', certificates: ['issuer'] };
    expect(activeDeadlineSeconds([unit])).toBe(600);
  });

  test('may have another name, schedule and image', () => {
    const { rotation } = mesh({
      name: 'rotation',
      schedule: Cron.daily(),
      image: OperatorImage.fromRegistry('registry.example/linkerd-reconciler:1.0.0'),
    });
    expect(objectsOf(rotation).map(({ metadata }) => metadata.name)).toEqual(Array(4).fill('rotation'));
    expect(cronJobOf(rotation).schedule).toBe('0 0 * * *');
    expect(containerOf(rotation).image).toBe('registry.example/linkerd-reconciler:1.0.0');
  });
});

describe('a rotation in a cluster with an operator', () => {
  const withOperator = (image?: OperatorImage) =>
    build((cluster) => {
      const controlPlane = addControlPlane(cluster);
      const operator = new ReconcilerOperator(cluster, 'operator', { controlPlane, namespace: 'mesh-operator', image });
      new CertRotationCronJob(cluster, 'rotation', { controlPlane, operator });
    });

  test('runs in the namespace of the operator, from the same ConfigMap', () => {
    const { objects, problems } = withOperator();
    expect(problems).toEqual([]);
    const paths = [...objects.keys()];
    expect(paths.filter((path) => path.endsWith('linkerd-reconciler-program'))).toEqual([
      'mesh-operator/configmap.linkerd-reconciler-program',
    ]);
    expect(paths.filter((path) => path.includes('linkerd-restarter'))).toEqual(
      expect.arrayContaining([
        'mesh-operator/cronjob.linkerd-restarter',
        'mesh-operator/serviceaccount.linkerd-restarter',
        'linkerd/role.linkerd-restarter',
      ]),
    );
  });

  test('has the same permissions in namespaces of the mesh as without an operator', () => {
    const { objects } = withOperator();
    const { rules } = objects.get('linkerd/role.linkerd-restarter');
    const [role] = objectsOf(mesh().rotation).filter(({ kind }) => kind === 'Role');
    expect(rules).toEqual(role?.rules);
    expect(objects.get('linkerd/rolebinding.linkerd-restarter').subjects).toEqual([
      { kind: 'ServiceAccount', name: 'linkerd-restarter', namespace: 'mesh-operator' },
    ]);
    expect(objects.has('mesh-operator/role.linkerd-restarter')).toBe(false);
  });

  test('runs the image of the operator', () => {
    const { objects } = withOperator(OperatorImage.fromRegistry('ghcr.io/acme/linkerd-reconciler:0.1.0'));
    const { jobTemplate } = objects.get('mesh-operator/cronjob.linkerd-restarter').spec;
    expect(jobTemplate.spec.template.spec.containers[0].image).toBe('ghcr.io/acme/linkerd-reconciler:0.1.0');
  });
});

test('the CronJob of the rotation depends on all extensions, and its permissions do not', () => {
  const { rotation, controlPlane, made } = mesh({}, { version: 'stable-2.14.10', extensions: true });
  const [viz, tracing] = made;
  prepareTree(rotation, 'cdk8s');
  const dependencies = dependenciesOf(rotation.node.findChild('cron-job'));
  expect(dependencies).toEqual(expect.arrayContaining([controlPlane, viz]));
  expect(dependencies.some(({ node }) => tracing !== undefined && node.scopes.includes(tracing))).toBe(true);
  expect(dependenciesOf(rotation).map(({ node }) => node.id)).toEqual(['operator-program-linkerd']);
});

describe('CertRotationCronJob', () => {
  test('rotates an extension that is created later', () => {
    const { rotation, addExtensions } = mesh();
    addExtensions();
    expect(ruleErrorsIn(rotation)).toEqual([]);
    expect(containerOf(rotation).args).toContain('--unit=linkerd-viz/tap=tap');
  });

  test('reports an extension that is created after objects were read', () => {
    const { rotation, addExtensions } = mesh();
    prepareTree(rotation, 'cdk8s');
    addExtensions();
    expect(ruleFindingsIn(rotation)).toMatchObject(
      ['linkerd-viz/tap', 'linkerd-viz/tap-injector'].map((certificate) => ({
        code: 'certificate-not-rotated',
        parameters: { certificate },
      })),
    );
  });

  test.each([
    [52, 0],
    [53, 1],
  ])('with a name of %d characters has problems: %d', (length, count) => {
    const { rotation } = mesh({ name: 'r'.repeat(length) });
    const finding = { code: 'name-too-long', parameters: expect.objectContaining({ length: 53, most: 52 }) };
    expect(ruleFindingsIn(rotation)).toEqual(Array(count).fill(expect.objectContaining(finding)));
  });

  test('reports all mistakes at once', () => {
    const { rotation } = mesh(
      { name: 'Restarter', schedule: Cron.weekly(), image: OperatorImage.fromRegistry('example/operator:latest') },
      { pki: { webhooks: { duration: Duration.days(30), renewBefore: Duration.days(8) } } },
    );
    expect(ruleErrorsIn(rotation)).toEqual(
      expect.arrayContaining([
        expect.stringContaining('name is "Restarter"'),
        expect.stringContaining('image is "example/operator:latest"'),
        expect.stringContaining('identityIssuer.renewBefore is 25h'),
      ]),
    );
    expect(ruleErrorsIn(rotation).join()).not.toContain('webhooks.renewBefore');
  });

  test('warns of a trust anchor that cert-manager renews', () => {
    const anchor = { duration: Duration.days(730), renewBefore: Duration.days(180) };
    const warnings = (rotation: 'manual' | 'automatic-unsafe') =>
      findingsAt(mesh({}, { pki: { trustAnchor: { ...anchor, rotation } } }).rotation);
    expect(warnings('manual')).toEqual([]);
    expect(warnings('automatic-unsafe')).toMatchObject([
      { code: 'rotation-below-renewing-anchor', parameters: { cronJob: 'linkerd-restarter' } },
    ]);
  });
});

import { Cron, Duration } from 'cdk8s';
import {
  CONTROL_PLANE_WEBHOOKS,
  type ControlPlaneDecisions,
  controlPlaneValues,
} from '../../../lib/constructs/control-plane/control-plane-values';

const decisions: ControlPlaneDecisions = {
  clusterDomain: 'cluster.local',
  trustDomain: 'mesh.corp',
  issuanceLifetime: Duration.hours(24),
  clockSkewAllowance: Duration.seconds(20),
  injectCaFrom: new Map(CONTROL_PLANE_WEBHOOKS.map((webhook) => [webhook, `mesh/${webhook.service}`])),
  cni: false,
};

test('a control plane takes its certificates from cert-manager and its anchors from a ConfigMap', () => {
  expect(controlPlaneValues(decisions)).toEqual({
    clusterDomain: 'cluster.local',
    identityTrustDomain: 'mesh.corp',
    identity: {
      externalCA: true,
      issuer: { scheme: 'kubernetes.io/tls', issuanceLifetime: '24h', clockSkewAllowance: '20s' },
    },
    proxyInjector: { externalSecret: true, injectCaFrom: 'mesh/linkerd-proxy-injector' },
    profileValidator: { externalSecret: true, injectCaFrom: 'mesh/linkerd-sp-validator' },
    policyValidator: { externalSecret: true, injectCaFrom: 'mesh/linkerd-policy-validator' },
  });
});

test('the CNI plugin takes the place of the init container', () => {
  expect(controlPlaneValues({ ...decisions, cni: true }).cniEnabled).toBe(true);
});

test('a heartbeat of the user is scheduled', () => {
  const heartbeat = Cron.schedule({ minute: '5', hour: '4' });
  expect(controlPlaneValues({ ...decisions, heartbeat })).toMatchObject({ heartbeatSchedule: '5 4 * * *' });
});

test('no heartbeat means no CronJob', () => {
  const values = controlPlaneValues({ ...decisions, heartbeat: false });
  expect(values.disableHeartBeat).toBe(true);
  expect(values.heartbeatSchedule).toBeUndefined();
});

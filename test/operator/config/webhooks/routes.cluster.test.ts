import { createKubeClient } from '#controller-runtime/client/rest-client';
import { WEBHOOK_FINDINGS } from '#operator/api/webhooks/findings';
import { LINKERD_CONFIG_WEBHOOKS } from '#operator/api/webhooks/linkerd-config';
import { rejectionText } from '#operator/src/config/checks/rejection-text';
import { linkerdConfigRoutes } from '#operator/src/config/webhooks/routes';
import { issueCertificate } from '#test/support/cluster/certificates';
import { type Cluster, sharedCluster } from '#test/support/cluster/cluster';
import type { KubeObject } from '#test/support/cluster/objects';
import { closeConnection, connectionOf } from '#test/support/controller-runtime/test-connection';
import { INSTALLED, injector, type Mesh, meshIn, WANTS_DEBUG } from '#test/support/operator/configured-mesh';
import { issueIdentity } from '#test/support/operator/issued-identity';
import {
  type OperatorInstallation,
  startOperator,
  webhookConfigurations,
} from '#test/support/operator/operator-installation';
import type { OperatorProcess } from '#test/support/operator/operator-process';

let cluster: Cluster;
let operator: OperatorInstallation & OperatorProcess;
let mesh: Mesh;
let configurations: KubeObject[];

const root = issueCertificate({ commonName: 'root', ca: true });
const next = issueCertificate({ commonName: 'next-root', ca: true });
const issuer = issueCertificate({ commonName: 'identity', ca: true, issuer: root });

/** The webhook's rejection of a second LinkerdConfig. */
const secondTo = (name: string) =>
  rejectionText([WEBHOOK_FINDINGS.secondLinkerdConfig({ name, configMap: `${mesh.namespace}/linkerd-config` })]);

beforeAll(async () => {
  cluster = await sharedCluster();
  operator = await startOperator(cluster, { multus: false, webhooks: true });
  mesh = meshIn(cluster, operator.linkerdNamespace);
  await cluster.apply(injector(mesh.namespace));
  configurations = webhookConfigurations(LINKERD_CONFIG_WEBHOOKS, operator);
  await cluster.applyAll(configurations);
  // The API server calls a new webhook only after a moment.
  await cluster.eventually(() =>
    expect(
      mesh.configure('probe', { values: { proxy: { additionalEnv: [{ name: 'X', value: root.key }] } } }),
    ).rejects.toThrow('spec.values.proxy.additionalEnv[0].value'),
  );
});

beforeEach(() => mesh.install(INSTALLED));
afterEach(() => mesh.clear());
afterAll(async () => {
  for (const configuration of configurations) await cluster.delete(configuration);
  await operator.stop();
});

/** Returns the response of the operator in the namespace `here` to a new LinkerdConfig. */
async function validated(config: { readonly spec: Readonly<Record<string, unknown>> }): Promise<unknown> {
  const connection = connectionOf(cluster.kubeconfig());
  const client = createKubeClient(connection, { fieldManager: 'test' });
  const [, validation] = linkerdConfigRoutes({ client, linkerdNamespace: 'here', clock: () => new Date() });
  const gvk = { group: 'config.linkerd.io', version: 'v1alpha1' };
  try {
    return await validation?.handle({
      uid: 'x',
      operation: 'CREATE',
      kind: { ...gvk, kind: 'LinkerdConfig' },
      resource: { ...gvk, resource: 'linkerdconfigs' },
      userInfo: { username: 'jane' },
      object: { metadata: { name: 'mesh' }, ...config },
    });
  } finally {
    closeConnection(connection);
  }
}

describe('defaulting', () => {
  test('fills in the proxy version and trust anchors in use if they are empty', async () => {
    await mesh.install(`${INSTALLED}identityTrustAnchorsPEM: |\n  ${root.cert.trim().replaceAll('\n', '\n  ')}\n`);
    const { spec } = await mesh.configure('mesh', {
      values: { identityTrustAnchorsPEM: '', proxy: { image: { version: '' } } },
    });
    expect(spec.values).toEqual({ identityTrustAnchorsPEM: root.cert, proxy: { image: { version: 'edge-26.8.3' } } });
  });

  test('fills in the values of the installation, not those of an earlier LinkerdConfig', async () => {
    const config = await mesh.configure('mesh', { values: { proxy: { image: { version: 'mine' } } } });
    await mesh.reaches('mesh', 'Ready=True InForce');
    const { spec } = await cluster.patch(config, { spec: { values: { proxy: { image: { version: '' } } } } });
    expect(spec.values).toEqual({ proxy: { image: { version: 'edge-26.8.3' } } });
  });

  test('accepts a LinkerdConfig after an uninstallation, though the operator remembers the installation', async () => {
    const config = await mesh.configure('mesh', { values: {} });
    await mesh.reaches('mesh', 'Ready=True InForce');
    expect(await mesh.baseline()).toBeDefined();
    await cluster.delete(await mesh.configMap());
    const values = { identityTrustAnchorsPEM: '', proxy: { image: { version: '' } } };
    expect((await cluster.patch(config, { spec: { values } })).spec.values).toEqual(values);
  });
});

describe('validation', () => {
  test('refuses a second LinkerdConfig, whatever its name', async () => {
    await mesh.configure('mesh');
    await expect(mesh.configure('other')).rejects.toThrow(secondTo('mesh'));
  });

  test.each([
    {
      by: 'cert-manager',
      issue: () => issueIdentity(cluster, mesh.namespace, issuer.cert),
      isKnown: async () => undefined,
    },
    {
      by: 'the installation',
      issue: async () => {
        const pem = issuer.cert.trim().replaceAll('\n', '\n        ');
        await mesh.install(`${INSTALLED}identity:\n  issuer:\n    tls:\n      crtPEM: |\n        ${pem}\n`);
        return [];
      },
      // The operator uses the previous installation until its cache is up to date.
      isKnown: async () => expect(JSON.stringify((await mesh.baseline())?.data)).toContain('crtPEM'),
    },
  ])('refuses trust anchors to which the issuer in use does not chain: $by', async ({ issue, isKnown }) => {
    const made = await issue();
    try {
      const config = await mesh.configure('mesh', { values: { identityTrustAnchorsPEM: root.cert } });
      await cluster.eventually(isKnown);
      const values = { identityTrustAnchorsPEM: next.cert };
      await expect(cluster.patch(config, { spec: { values } })).rejects.toThrow('spec.values.identityTrustAnchorsPEM');
      await cluster.patch(config, { spec: { values: { identityTrustAnchorsPEM: root.cert + next.cert } } });
    } finally {
      for (const object of made) await cluster.delete(object);
    }
  });

  test('refuses values on which the present injector would fail for each pod', async () => {
    await mesh.install(`${INSTALLED}proxyInit:\n  iptablesMode: nft\n`);
    const values = { proxyInit: { closeWaitTimeoutSecs: 30 } };
    await expect(mesh.configure('mesh', { values })).rejects.toThrow(/closeWaitTimeoutSecs.*runAsRoot/);
    await mesh.install(`${INSTALLED}proxyInit:\n  iptablesMode: nft\n  runAsRoot: true\n`);
    const config = await mesh.configure('mesh', { values });
    await expect(cluster.patch(config, { spec: { values: { proxyInit: { runAsRoot: false } } } })).rejects.toThrow(
      /closeWaitTimeoutSecs.*runAsRoot/,
    );
  });

  test.each([
    ['does not exist', 'linkerd-config'],
    ['is unreadable for the operator', 'other-config'],
  ])('accepts a LinkerdConfig if the ConfigMap %s', async (_name, configMapName) => {
    await cluster.delete(await mesh.configMap());
    const values = { proxyInit: { closeWaitTimeoutSecs: 30 } };
    expect((await mesh.configure('mesh', { configMapName, values })).spec.values).toEqual(values);
  });
});

test('the API server calls the webhook only for changes of the spec, so no other write waits for it', async () => {
  const config = await mesh.configure('mesh', { values: WANTS_DEBUG });
  await mesh.reaches('mesh', 'Ready=True InForce');
  await operator.stop();
  try {
    await cluster.patch(config, { metadata: { finalizers: ['example.com/mine'], labels: { a: 'b' } } });
    await cluster.patch(config, { status: { proxyVersion: 'x' } }, { subresource: 'status' });
    await expect(cluster.patch(config, { spec: { maxUnavailableWorkloads: 2 } })).rejects.toThrow(
      /failed calling webhook/,
    );
    await cluster.delete(config);
    await cluster.patch(config, { metadata: { finalizers: null } });
    expect(await cluster.find(config)).toBeUndefined();
  } finally {
    Object.assign(operator, await operator.start());
    await cluster.applyAll(webhookConfigurations(LINKERD_CONFIG_WEBHOOKS, operator));
  }
});

test("the webhook accepts a LinkerdConfig for another operator's control plane, with a warning", async () => {
  const answer = await validated({ spec: { controlPlaneNamespace: 'there' } });
  expect(answer).toEqual({ allowed: true, warnings: ['the operator serves the control plane in here, not in there'] });
});

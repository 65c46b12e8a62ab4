import { linkerdConfigRules } from '#operator/api/rbac/linkerd-config';
import { PROPAGATION_RULES } from '#operator/api/rbac/propagation';
import { RUNTIME_RULES } from '#operator/api/rbac/runtime';
import { type Cluster, sharedCluster } from '../../support/cluster/cluster';
import { DEBUG, INSTALLED, injector, meshIn, WANTS_DEBUG } from '../../support/operator/configured-mesh';
import { installOperator, startOperator } from '../../support/operator/operator-installation';

let cluster: Cluster;

beforeAll(async () => {
  cluster = await sharedCluster();
});

test('with ENABLE_WEBHOOKS=false, the operator serves no webhook, and applies LinkerdConfigs', async () => {
  const operator = await startOperator(cluster, { multus: false, webhooks: true, env: { ENABLE_WEBHOOKS: 'false' } });
  const mesh = meshIn(cluster, operator.linkerdNamespace);
  try {
    expect(operator.webhookPort).toBeUndefined();
    await mesh.install(INSTALLED);
    await mesh.configure('mesh', { values: WANTS_DEBUG });
    await cluster.eventually(async () => expect(await mesh.values()).toBe(DEBUG));
  } finally {
    await mesh.clear();
    await operator.stop();
  }
});

test('the operator also applies LinkerdConfigs to a ConfigMap of another name', async () => {
  const names = ['linkerd-config', 'linkerd-config-blue'];
  const rules = [...RUNTIME_RULES, ...linkerdConfigRules(names), ...PROPAGATION_RULES];
  const operator = await startOperator(cluster, { multus: false, rules });
  const mesh = meshIn(cluster, operator.linkerdNamespace, 'linkerd-config-blue');
  try {
    await cluster.apply(injector(mesh.namespace));
    await mesh.install(INSTALLED);
    await mesh.configure('mesh', { values: WANTS_DEBUG });
    await mesh.reaches('mesh', 'Ready=True InForce');
    await cluster.patch(await mesh.configMap(), { data: { values: INSTALLED } }, { fieldManager: 'kubectl-edit' });
    await cluster.eventually(async () => expect(await mesh.values()).toBe(DEBUG));
  } finally {
    await mesh.clear();
    await operator.stop();
  }
});

test('after any kill, the operator still has the baseline of the installation and applies the last LinkerdConfig', async () => {
  const installation = await installOperator(cluster, { multus: false });
  const mesh = meshIn(cluster, installation.linkerdNamespace);
  await cluster.apply(injector(mesh.namespace));
  await mesh.install(INSTALLED);
  const config = await mesh.configure('mesh', { values: { proxy: { logLevel: 'warn,round0=info' } } });
  let operator = await installation.start();
  try {
    for (let round = 1; round <= 8; round += 1) {
      // About the duration of a reconciliation, so that some kills interrupt one.
      await cluster.patch(config, { spec: { values: { proxy: { logLevel: `warn,round${round}=info` } } } });
      await new Promise((resolve) => setTimeout(resolve, 90 + 15 * round));
      await operator.kill('SIGKILL');
      operator = await installation.start();
    }
    await cluster.eventually(async () =>
      expect(await mesh.values()).toBe(INSTALLED.replace('warn', 'warn,round8=info')),
    );
    expect((await mesh.baseline())?.data.values).toBe(INSTALLED);
    expect((await mesh.events('mesh')).filter((event) => /^(Drift|Baseline)/.test(event))).toEqual([]);
  } finally {
    await mesh.clear();
    await operator.stop();
  }
});

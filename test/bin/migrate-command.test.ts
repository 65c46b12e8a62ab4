import { runInMemory } from './fake-terminal';

test('prints the program for the values of a control plane', async () => {
  const { code, stdout, stderr } = await runInMemory(['migrate', '--new-anchor', '-f', '-'], {
    stdin: 'controllerReplicas: 2\n',
  });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toContain('values: { controllerReplicas: 2 }');
});

test('chart, release and namespace can be chosen', async () => {
  const args = ['migrate', '--chart', 'linkerd2-cni', '--release', 'stable-2.14.10', '-n', 'kube-cni'];
  const { stdout } = await runInMemory(args);
  expect(stdout).toContain("new LinkerdCni(scope, 'cni', { version: 'stable-2.14.10', namespace: 'kube-cni' })");
});

test('cert-manager and trust-manager can be those that the cluster has', async () => {
  const { stdout } = await runInMemory(['migrate', '--existing-cert-manager']);
  expect(stdout).toContain("const certManager = CertManager.fromExisting(scope, 'cert-manager');");
  expect(stdout).toContain("const trustManager = TrustManager.fromExisting(scope, 'trust-manager');");
  expect(stdout).toMatch(/import \{ CertManager, .* TrustManager \}/);
});

test('no values, which helm prints as null, are the defaults', async () => {
  const { code, stdout, stderr } = await runInMemory(['migrate', '--new-anchor', '-f', '-'], { stdin: 'null\n' });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toContain('highAvailability: false');
});

test.each([
  ['USER-SUPPLIED VALUES:\nnull\n', 'highAvailability: false });'],
  ['USER-SUPPLIED VALUES:\ncontrollerReplicas: 2\n', 'values: { controllerReplicas: 2 }'],
  ['COMPUTED VALUES:\ncontrollerReplicas: 2\n', 'values: { controllerReplicas: 2 }'],
])('the heading of helm get values is no value: %j', async (stdin, program) => {
  const { code, stdout, stderr } = await runInMemory(['migrate', '--new-anchor', '-f', '-'], { stdin });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toContain(program);
});

test('values that synth will refuse are warnings', async () => {
  const { code, stdout, stderr } = await runInMemory(['migrate', '--new-anchor', '--set', 'proxy.logLevel=nonsense']);
  expect(code).toBe(0);
  expect(stdout).toContain("values: { proxy: { logLevel: 'nonsense' } }");
  expect(stderr).toMatch(/^warning: values\.proxy\.logLevel .*"nonsense".* Fix: .*\n$/);
});

test('an anchor that the values do not have is a warning, and none is made', async () => {
  const { code, stdout, stderr } = await runInMemory(['migrate', '--set', 'controllerReplicas=2']);
  expect(code).toBe(0);
  expect(stderr).toMatch(/^warning: .*identityTrustAnchorsPEM.* Fix: .*kubectl get configmap .*--new-anchor.*\n$/);
  expect(stdout).toContain('certificates: "TODO: ');
});

test.each([[['-f', '-'], /standard input is not a values file/]])('%j is refused', async (flags, why) => {
  const { code, stdout, stderr } = await runInMemory(['migrate', ...flags], { stdin: 'text' });
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(why);
});

test('the place of a value whose key has other characters has no dot before the bracket', async () => {
  const { stdout, stderr } = await runInMemory(['migrate', '--new-anchor', '--set-json', 'a b=1,proxy={"c d":1}']);
  expect(stderr).toMatch(/^warning: values\["a b"\] is not a known value.* remove \["a b"\]\.$/m);
  expect(stderr).toMatch(/^warning: values\.proxy\["c d"\] is not a known value.* remove proxy\["c d"\]\.$/m);
  expect(stdout).toContain('// Left out: values["a b"] is not a known value.');
});

test('releases that are not known are misuse', async () => {
  const { code, stderr } = await runInMemory(['migrate', '--release', '2.13']);
  expect(code).toBe(2);
  expect(stderr).toMatch(/Allowed choices are .*edge-26\.8\.3/);
});

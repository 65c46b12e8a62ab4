import fc from 'fast-check';
import { type RotationUnit, readRotationUnits, rotationArguments } from '#operator/api/rotation';

const IDENTITY: RotationUnit = {
  namespace: 'linkerd',
  deployment: 'linkerd-identity',
  certificates: ['linkerd-identity-issuer'],
  trustRoots: 'linkerd-identity-trust-roots',
};
const DESTINATION: RotationUnit = {
  namespace: 'linkerd',
  deployment: 'linkerd-destination',
  certificates: ['linkerd-sp-validator', 'linkerd-policy-validator'],
};

/** Reads arguments like the command line, which collects the values of each flag. */
function read(args: readonly string[]) {
  const valuesOf = (flag: string) =>
    args.filter((arg) => arg.startsWith(`${flag}=`)).map((arg) => arg.slice(flag.length + 1));
  return readRotationUnits({ units: valuesOf('--unit'), trustRoots: valuesOf('--trust-roots') });
}

test('each argument names in one line the restarted workload and its certificates', () => {
  expect(rotationArguments([IDENTITY, DESTINATION])).toEqual([
    '--unit=linkerd/linkerd-identity=linkerd-identity-issuer',
    '--trust-roots=linkerd/linkerd-identity=linkerd-identity-trust-roots',
    '--unit=linkerd/linkerd-destination=linkerd-sp-validator,linkerd-policy-validator',
  ]);
});

test('the operator reads units from their arguments, in order', () => {
  const name = fc.stringMatching(/^[a-z0-9]([a-z0-9-]{0,20}[a-z0-9])?(\.[a-z0-9]{1,5})?$/);
  const unit = fc.record({
    namespace: fc.stringMatching(/^[a-z]{1,9}$/),
    deployment: name,
    certificates: fc.uniqueArray(name, { minLength: 1, maxLength: 4 }),
    trustRoots: fc.option(name, { nil: undefined }),
  });
  const units = fc.uniqueArray(unit, { minLength: 1, maxLength: 5, selector: ({ namespace }) => namespace });
  fc.assert(
    fc.property(units, (all) => {
      expect(read(rotationArguments(all))).toEqual({ units: all, problems: [] });
    }),
  );
});

test.each([
  ['linkerd-identity=issuer'],
  ['linkerd/linkerd-identity'],
  ['linkerd/linkerd-identity='],
  ['linkerd/linkerd-identity=a,,b'],
  ['linkerd/linkerd-identity=a=b'],
  ['a/b/c=d'],
  [''],
])('the operator refuses --unit %j', (text) => {
  expect(readRotationUnits({ units: [text], trustRoots: [] }).problems).toEqual([
    `--unit ${text}: expected namespace/deployment=certificate[,certificate…]`,
  ]);
});

test.each([
  ['Linkerd/identity=issuer', 'Linkerd'],
  ['linkerd/identity_1=issuer', 'identity_1'],
  ['linkerd/identity=issuer,-b', '-b'],
  ['/identity=issuer', ''],
  [`linkerd/identity=${'a'.repeat(254)}`, 'a'.repeat(254)],
])('the operator names the invalid part of --unit %j', (text, name) => {
  expect(readRotationUnits({ units: [text], trustRoots: [] }).problems).toEqual([
    `--unit ${text}: "${name}" is not a valid name of a Kubernetes object`,
  ]);
});

test('the operator refuses a second ConfigMap of trust roots for one Deployment', () => {
  const { problems } = readRotationUnits({ units: ['a/b=c'], trustRoots: ['a/b=c,d'] });
  expect(problems).toEqual(['--trust-roots a/b=c,d: expected namespace/deployment=configmap']);
});

test('the operator refuses a rotation without units', () => {
  expect(readRotationUnits({ units: [], trustRoots: [] }).problems).toEqual([
    '--unit is missing: it names the Deployments and Certificates to rotate',
  ]);
});

test('the operator reports all contradictions at once', () => {
  const { problems } = readRotationUnits({
    units: ['a/b=c', 'a/b=d', 'a/e=c'],
    trustRoots: ['a/b=x', 'a/b=y', 'z/z=x'],
  });
  expect(problems).toEqual([
    expect.stringContaining('--unit names the Deployment a/b more than once'),
    expect.stringContaining('--unit names the Certificate a/c more than once'),
    expect.stringContaining('--trust-roots names the Deployment a/b more than once'),
    expect.stringContaining('--trust-roots names the Deployment z/z, which has no --unit'),
  ]);
});

test('the operator distinguishes Certificates of one name in two namespaces', () => {
  expect(readRotationUnits({ units: ['a/b=c', 'd/b=c'], trustRoots: [] }).problems).toEqual([]);
});

test('the operator reports all unreadable arguments at once', () => {
  const { problems } = readRotationUnits({ units: ['a', 'a/B=c'], trustRoots: ['x'] });
  expect(problems).toHaveLength(3);
});

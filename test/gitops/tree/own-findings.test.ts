import type { Finding } from '#base/findings/finding';
import { Platform, type PlatformProps } from '#lib/gitops/platform/platform';
import { SynthError } from '#lib/gitops/platform/report';
import { Warnings } from '#lib/gitops/tree/add-rule';
import type { Cluster } from '#lib/gitops/tree/cluster';
import { addFindings, ownFindings } from '#lib/gitops/tree/own-findings';
import { PreparedConstruct } from '#lib/gitops/tree/prepare';
import { component, configMap } from '../../support/cluster-fixture';
import { temporaryDirectory } from '../synth/output/tree-on-disk';

const output = temporaryDirectory();

const OWN = ownFindings({
  'own-team-missing': {
    severity: 'warning',
    what: ({ name }: { readonly name: string }) => `${name} has no label team`,
    why: 'No team is called when it fails',
    fix: 'set the label team',
  },
  'own-name-odd': {
    severity: 'error',
    what: ({ name }: { readonly name: string }) => `${name} is an odd name`,
    why: 'No reader understands it',
    fix: 'take another name',
  },
});

const checked = (name: string) => (cluster: Cluster) => {
  const part = component(cluster, 'shop');
  configMap(part, name, 'shop', {});
  new PreparedConstruct(part, 'late', (self) => configMap(self, `${name}-late`, 'shop', {}));
  addFindings(part, OWN, (objects) =>
    objects
      .filter(({ kind }) => kind === 'ConfigMap')
      .map(({ metadata }) => (metadata.name.startsWith('x') ? OWN.ownNameOdd(metadata) : OWN.ownTeamMissing(metadata))),
  );
};

function platform(build: (cluster: Cluster) => void, props: Partial<PlatformProps> = {}) {
  const made = new Platform({ repoUrl: 'https://git.example.com/platform.git', outdir: output.path, ...props });
  made.addCluster('home', {}, build);
  return made;
}

const shown = (findings: readonly Finding[]) =>
  findings.map(({ severity, path, problem: { code, what } }) => [severity, path, code, what]);

function errorsOf(synth: () => unknown) {
  try {
    synth();
    return [];
  } catch (error) {
    if (error instanceof SynthError) return shown(error.findings);
    throw error;
  }
}

const MISSING = ['a', 'a-late'].map((name) => [
  'warning',
  'home/shop',
  'own-team-missing',
  `${name} has no label team`,
]);

test('synth reports findings of a program like those of the library', () => {
  const { warnings } = platform(checked('a')).synth();
  expect(shown(warnings)).toEqual(MISSING);
  expect(errorsOf(() => platform(checked('x')).synth())).toEqual(
    ['x', 'x-late'].map((name) => ['error', 'home/shop', 'own-name-odd', `${name} is an odd name`]),
  );
});

test.each(['team-missing', 'own', 'own-', 'own-Team', 'own_team', 'Own-team', 'own-a/b'])(
  'a program may not use the code %s for its findings',
  (code) => {
    expect(() => ownFindings({ [code]: { severity: 'error', what: 'x', why: 'x', fix: 'x' } } as never)).toThrow(code);
  },
);

test.each([
  [{ ifAny: true }, 0],
  [{ ifAny: false }, 1],
  [{}, 1],
  [undefined, 1],
])('synth reports an acknowledgement that matches no warning, with the options %j, %d times', (options, times) => {
  const build = (cluster: Cluster) => {
    configMap(component(cluster, 'shop'), 'a', 'shop', {});
    Warnings.of(cluster).acknowledge('mesh-unscraped', 'a shared construct', options);
  };
  expect(
    platform(build)
      .synth()
      .warnings.map(({ problem }) => problem.code),
  ).toEqual(Array.from({ length: times }, () => 'acknowledged-nothing'));
});

test('a strict synth refuses warnings that are not acknowledged, and writes nothing', () => {
  const refused = MISSING.map(([, ...others]) => ['error', ...others]);
  expect(errorsOf(() => platform(checked('a')).synth({ strict: true }))).toEqual(refused);
  expect(errorsOf(() => platform(checked('a')).synth({ strict: true, check: true }))).toEqual(refused);
  expect(platform(checked('a')).synth({ check: true }).written).toBeGreaterThan(0);
  const reason = 'there is one team';
  const acknowledged = platform(checked('a'), { acknowledge: { 'own-team-missing': reason } });
  expect(acknowledged.synth({ strict: true }).written).toBeGreaterThan(0);
});

import { spawnSync } from 'node:child_process';
import { formatIndex, INDEX_FILE, indexOf } from '#lib/gitops/synth/output/cluster-index';
import { upgradePlan } from '#lib/review/upgrade/plan';

test('commands of a plan quote the names of an output for a shell', () => {
  const nasty = ["$(touch x)'; touch x", 'a\nb', 'a b', "it's"];
  const output = (controlPlane: string, names: readonly string[]) => {
    const map = 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a, namespace: b }\n';
    const files = ['linkerd', ...names].map((name): [string, string] => [`${name}/a.yaml`, map]);
    const index = formatIndex(
      indexOf(
        files.map(([path]) => path),
        [],
        { releases: { controlPlane }, definitions: [] },
      ),
    );
    return new Map([['home', new Map([...files, [INDEX_FILE, index]])]]);
  };
  const [group] = upgradePlan(output('edge-26.8.2', nasty), output('edge-26.8.3', []), () => undefined).groups;
  const steps = group?.plan.steps ?? [];
  const commands = steps.find(({ title }) => title === 'Delete removed folders')?.commands ?? [];
  expect(commands).toHaveLength(nasty.length);
  const words = commands.map((command) => {
    expect(command).not.toContain('\n');
    return spawnSync('bash', ['-c', `argocd() { printf '%s|' "$3"; }; ${command}`], { encoding: 'utf8' }).stdout;
  });
  expect(words.toSorted()).toEqual(nasty.map((name) => `CLUSTER-${name}|`).toSorted());
});

import { commandProblem, kubectlProblems } from './command-check';

const split = (line: string) => line.split(' ');

test.each([
  'npm run nothing',
  'npm run synth -- --onyl home',
  'npm run synth --only home',
  'npm instal cdk8s',
  'npm install --savedev tsx',
  'npm install cdk8s-linkerd cdk8s',
  'npx cdk8s-linkerd init',
  'npx cdk8s-linkerd render linkerd-viz --name-space linkerd',
  'npx jest test/nothing',
  'tsx tools/nothing.ts',
  'git comit -m x',
  'openssl x509 -nout',
  'linkerd viz',
  'kubect get pods',
])('commandProblem refuses %s', async (line) => expect(await commandProblem(split(line))).toEqual(expect.any(String)));

test.each([
  'npm run -s synth -- --only home --check',
  'node tools/start/start.cjs bin/cdk8s-linkerd.ts upgrade plan --from origin/main',
  'npx cdk8s-linkerd --help',
  'npx --yes --package $CDK8S_LINKERD cdk8s-linkerd init --yes',
  'npx tsx main.ts --shard 2/8',
  'tar -xzf a.tgz',
  'linkerd viz stat deploy -n shop',
])('commandProblem accepts %s', async (line) => expect(await commandProblem(split(line))).toBeUndefined());

test('kubectlProblems reports unknown words and options of kubectl', () => {
  const right = [
    'get pods -n shop -o yaml',
    'exec deploy/a -- curl --anything',
    'create secret generic a --from-file=b=c',
  ];
  const wrong = ['gett pods', 'get pods --namspace a', 'rollout restrat deploy/a', 'create secret generik a'];
  const problems = kubectlProblems([...right, ...wrong].map((line) => line.split(' ')));
  expect(problems.slice(0, right.length)).toEqual(right.map(() => ''));
  expect(problems.slice(right.length)).not.toContain('');
});

import type { Answers } from './answers';
import type { PackageManager } from './package-manager';

/** Names of the scripts in package.json that a pipeline runs. */
export interface ScriptNames {
  readonly compile: string;
  readonly check: string;
  readonly diff: string;
}

/**
 * Returns the pipeline, as path and text. It compiles, checks the committed output, and shows the effects of a change.
 */
export function pipelineOf(
  ci: Answers['ci'],
  scripts: ScriptNames,
  manager: PackageManager,
): readonly (readonly [string, string])[] {
  if (ci === 'none') return [];
  return ci === 'github'
    ? [['.github/workflows/linkerd.yml', github(scripts, manager)]]
    : [['.gitlab-ci.yml', gitlab(scripts, manager)]];
}

/** Node.js 24 comes with corepack, which installs pnpm and Yarn, but not bun. */
function preparation({ name }: PackageManager): string | undefined {
  if (name === 'npm') return undefined;
  return name === 'bun' ? 'npm install --global bun' : 'corepack enable';
}

function github({ compile, check, diff }: ScriptNames, manager: PackageManager): string {
  const prepare = preparation(manager);
  const run = `${manager.name} run`;
  return `# Compiles the program, checks that it generates the committed output, and shows what a pull request changes.
# For a comment in the pull request instead of the summary, see examples/ci of cdk8s-linkerd.
name: linkerd
on:
  pull_request:
  push:
    branches: [main]
permissions:
  contents: read
jobs:
  check:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v5
        with:
          # The merge commit, and the commit that it would be merged into: HEAD^1.
          fetch-depth: 2
          persist-credentials: false
      - uses: actions/setup-node@v5
        with:
          node-version: 24${prepare === undefined ? '\n          cache: npm' : `\n      - run: ${prepare}`}
      - run: ${manager.ci}
      - run: ${run} ${compile}
      - run: ${run} ${check}
      - name: Compare
        if: github.event_name == 'pull_request'
        run: |
          ${quietly(manager, diff)} 'HEAD^1' --format markdown > diff.md
          cat diff.md >> "$GITHUB_STEP_SUMMARY"
`;
}

const NPM_CACHE = `  cache:
    key:
      files: [package-lock.json]
    paths: [.npm]
`;

/** Returns the command that runs a script without output of the package manager; arguments may follow it. */
function quietly({ name }: PackageManager, script: string): string {
  return {
    npm: `npm run --silent ${script} --`,
    pnpm: `pnpm --silent run ${script}`,
    yarn: `yarn run ${script}`,
    bun: `bun run --silent ${script}`,
  }[name];
}

function gitlab({ compile, check, diff }: ScriptNames, manager: PackageManager): string {
  const { name } = manager;
  const prepare = preparation(manager);
  const run = `${manager.name} run`;
  return `# Compiles the program, checks that it generates the committed output, and shows what a merge request changes.
# For a note in the merge request instead of the artifact, see examples/ci of cdk8s-linkerd.
image: node:24
workflow:
  rules:
    - if: $CI_PIPELINE_SOURCE == "merge_request_event"
    - if: $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH
default:
${name === 'npm' ? NPM_CACHE : ''}  before_script:
${prepare === undefined ? '' : `    - ${prepare}\n`}    - ${manager.ci}${name === 'npm' ? ' --cache .npm' : ''}
check:
  script:
    - ${run} ${compile}
    - ${run} ${check}
diff:
  rules:
    - if: $CI_PIPELINE_SOURCE == "merge_request_event"
  variables:
    # Fetch all commits, including the one that the merge request is based on.
    GIT_DEPTH: 0
  script:
    - ${quietly(manager, diff)} "$CI_MERGE_REQUEST_DIFF_BASE_SHA" --format html > diff.html
  artifacts:
    expose_as: what changes in the mesh
    paths: [diff.html]
`;
}

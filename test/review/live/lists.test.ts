import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EXAMINED_LISTS } from '../../../lib/review/doctor/lists';
import { CLUSTER_LISTS, type ClusterListName, readingRules } from '../../../lib/review/live/lists';
import { STATUS_LISTS } from '../../../lib/review/status/lists';

const ALL = Object.keys(CLUSTER_LISTS) as ClusterListName[];

test('every list of clusters is one that a command reads', () => {
  expect([...ALL].sort()).toEqual([...new Set([...EXAMINED_LISTS, ...STATUS_LISTS])].sort());
});

test('no command reads Secrets, and all that they may do is to list', () => {
  const rules = readingRules(ALL);
  expect(rules.flatMap(({ resources }) => resources)).not.toContain('secrets');
  expect(new Set(rules.flatMap(({ verbs }) => verbs))).toEqual(new Set(['list']));
});

test('a Role has each group and each resource once', () => {
  expect(readingRules(['bundles', 'installed', 'pods', 'workloads'])).toEqual([
    { apiGroups: [''], resources: ['configmaps', 'pods'], verbs: ['list'] },
    { apiGroups: ['apps'], resources: ['deployments', 'daemonsets'], verbs: ['list'] },
  ]);
});

test.each(['status', 'doctor'])('the Role of %s in its page is generated', (page) => {
  const text = readFileSync(join(__dirname, '..', '..', '..', 'docs', `${page}.md`), 'utf8');
  expect(text).toContain(`<!-- npm run pages:docs ${page}-role -->\n\`\`\`yaml\n`);
});

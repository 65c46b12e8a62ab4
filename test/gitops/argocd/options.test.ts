import { Duration } from 'cdk8s';
import fc from 'fast-check';
import { appProject } from '#lib/gitops/argocd/app-project';
import { applicationSet } from '#lib/gitops/argocd/application-set';
import { checkApplicationSetOptions } from '#lib/gitops/argocd/application-set-options';
import { checkGitSource } from '#lib/gitops/argocd/git-source';
import { checkOwnMetadata } from '#lib/gitops/argocd/own-metadata';
import { checkRoles } from '#lib/gitops/argocd/project-roles';
import { checkRetry, retryPolicy } from '#lib/gitops/argocd/retry';
import { checkRings } from '#lib/gitops/argocd/ring';
import { rollingSync } from '#lib/gitops/argocd/rolling-sync';
import { checkSyncWindows } from '#lib/gitops/argocd/sync-windows';
import { checkTarget } from '#lib/gitops/argocd/target';

describe('in the source of an ApplicationSet,', () => {
  const repoUrl = 'https://git.example.com/platform.git';

  describe('repoUrl', () => {
    test.each([
      'git.example.com/platform.git',
      'oci://registry.example.com/platform',
      'https://git.example.com',
      'https://git.example.com/*',
      'https://git.example.com/{{.name}}.git',
      'https://git.example.com/a b.git',
      '/srv/git/platform',
    ])('refuses %s', (url) => {
      expect(checkGitSource({ repoUrl: url })).toMatchObject([{ code: 'repository-refused', parameters: { url } }]);
    });

    test('refuses a URL with a password, without repeating it in the message', () => {
      const problems = checkGitSource({ repoUrl: 'https://bot:hunter2@git.example.com/platform.git' });
      const parameters = { field: 'repoUrl', credentials: 'a password', url: 'https://git.example.com/platform.git' };
      expect(problems).toMatchObject([{ code: 'credentials-found', cause: 'url', parameters }]);
      expect(JSON.stringify(problems)).not.toContain('hunter2');
    });
  });

  describe('revision', () => {
    test.each([undefined, 'HEAD', 'main', 'release/1.2', 'v1.*', '0123abc'])('accepts %p', (revision) => {
      expect(checkGitSource({ repoUrl, revision })).toEqual([]);
    });

    test.each(['', ' main', '{{.name}}'])('refuses %p', (revision) => {
      const parameters = { field: 'revision', revision };
      expect(checkGitSource({ repoUrl, revision })).toMatchObject([{ code: 'repository-refused', parameters }]);
    });
  });

  describe('path', () => {
    test.each([
      ['/dist', 'dist'],
      ['dist/', 'dist'],
      ['../dist', 'dist'],
      ['a//b', 'a/b'],
      ['./a/./b', 'a/b'],
      ['.argo/dist', 'dist'],
      ['dist/*', 'dist'],
      ['{{.name}}', 'dist'],
    ])('refuses %s, and suggests %s', (path, better) => {
      const parameters = { field: 'path', path, example: better };
      expect(checkGitSource({ repoUrl, path })).toMatchObject([{ code: 'repository-refused', parameters }]);
    });
  });
});

describe('the target of an ApplicationSet', () => {
  test.each([
    { server: '' },
    { server: '10.0.0.1:6443' },
    { server: 'https://*' },
    { server: 'https://[fd00::1]:6443' },
    { name: '' },
    { name: '*' },
    { name: '{{.name}}' },
  ])('refuses %p', (destination) => {
    const [[field, value] = []] = Object.entries(destination);
    expect(checkTarget({ cluster: 'home', destination })).toMatchObject([
      { code: 'destination-refused', parameters: { cluster: 'home', field, value } },
    ]);
  });

  test('refuses a destination with two addresses', () => {
    const destination = { server: 'https://10.0.0.1:6443', name: 'home' };
    // @ts-expect-error a destination has either a server or a name
    expect(checkTarget({ cluster: 'home', destination })).toMatchObject([
      { code: 'destination-refused', parameters: { cluster: 'home', ...destination } },
    ]);
  });
});

describe('the rings of an ApplicationSet', () => {
  const codes = (...args: Parameters<typeof checkRings>) => checkRings(...args).map(({ code }) => code);

  test.each([
    [[{ name: 'Canary' }], 'name-invalid'],
    [[{ name: '' }], 'name-invalid'],
    [[{ name: 'rest' }, { name: 'rest' }], 'ring-refused'],
    [[{ name: 'rest', revision: ' v1' }], 'repository-refused'],
    [[{ name: 'rest', path: '../rest' }], 'repository-refused'],
  ])('are refused if they are %j', (rings, code) => expect(codes(rings)).toEqual([code]));

  test.each([
    ['dist', 'dist/rest'],
    ['dist/all', 'dist'],
    ['', 'promoted'],
  ])('are refused if the output is in "%s" and a ring reads the overlapping path "%s"', (output, path) => {
    expect(codes([{ name: 'canary' }, { name: 'rest', path }], output)).toEqual(['ring-refused']);
  });
});

describe('the retries of a sync', () => {
  test('use a commit that is pushed between attempts', () => expect(retryPolicy().refresh).toBe(true));

  test('report a duration that cannot be written, and do not throw', () => {
    const props = { duration: Duration.millis(0.5), maxDuration: Duration.days(200_000) };
    expect(retryPolicy(props).backoff).toEqual({ factor: 2 });
    expect(checkRetry(props)).toMatchObject([
      { what: expect.stringContaining('retry.duration') },
      { what: expect.stringContaining('retry.maxDuration') },
    ]);
  });

  test.each([-1, 1, 50])('accept the limit %p', (limit) => expect(checkRetry({ limit })).toEqual([]));

  test.each([0, -2, 1.5, Number.NaN])('refuse the limit %p', (limit) => {
    expect(checkRetry({ limit })).toMatchObject([
      { code: 'retry-refused', parameters: { field: 'limit', value: String(limit) } },
    ]);
  });

  test.each([0, -1, 1.5])('refuse the factor %p', (factor) => {
    expect(checkRetry({ factor })).toMatchObject([
      { code: 'retry-refused', parameters: { field: 'factor', value: String(factor) } },
    ]);
  });

  test('refuse a pause of zero', () => {
    expect(checkRetry({ duration: Duration.seconds(0) })).toMatchObject([
      { code: 'retry-refused', parameters: { field: 'duration' } },
    ]);
  });

  test('refuse a longest pause below the first', () => {
    const parameters = { field: 'maxDuration', value: '3 minutes', expected: 'retry.duration (4 minutes) or more' };
    expect(checkRetry({ duration: Duration.minutes(4) })).toMatchObject([{ code: 'retry-refused', parameters }]);
  });

  test('accept any first pause up to the longest pause, and refuse longer ones', () => {
    const seconds = fc.integer({ min: 1, max: 100_000 });
    fc.assert(
      fc.property(seconds, seconds, (first, longest) => {
        const problems = checkRetry({ duration: Duration.seconds(first), maxDuration: Duration.seconds(longest) });
        expect(problems.length === 0).toBe(first <= longest);
      }),
    );
  });
});

describe('the options of an ApplicationSet', () => {
  test.each(['create-only', 'create-delete'] as const)('refuse a rolling sync with %s', (applicationsSync) => {
    expect(checkApplicationSetOptions({ applicationsSync })).toEqual([]);
    expect(checkApplicationSetOptions({ applicationsSync, strategy: { type: 'AllAtOnce' } })).toEqual([]);
    expect(checkApplicationSetOptions({ applicationsSync, strategy: { type: 'RollingSync' } })).toMatchObject([
      { code: 'rolling-sync-refused', parameters: { applicationsSync } },
    ]);
  });

  test('report all problems at once', () => {
    const options = {
      strategy: { type: 'RollingSync', maxUpdate: 0 },
      retry: { factor: 0 },
      ignoreDifferences: [{ kind: 'Secret' }],
      applicationsSync: 'create-only',
    } as const;
    expect(checkApplicationSetOptions(options)).toHaveLength(4);
  });
});

describe('labels and annotations of all objects of Argo CD', () => {
  const [key, value] = ['notifications.argoproj.io/subscribe.on-sync-failed.slack', 'mesh'];
  const labels = { team: 'mesh' };

  test('are added to the labels and annotations of the library', () => {
    const project = appProject({
      name: 'mesh',
      sourceRepos: [],
      destinations: [],
      labels,
      annotations: { [key]: value },
    });
    expect(project.metadata).toMatchObject({
      labels,
      annotations: { [key]: value, 'argocd.argoproj.io/sync-wave': '-1' },
    });
    const { metadata, spec } = applicationSet({
      name: 'mesh',
      project: 'mesh',
      source: { repoUrl: 'https://git.example.com/platform.git' },
      target: {},
      labels,
      annotations: { [key]: value },
      rings: [{ name: 'all', clusters: ['home'] }],
    });
    expect(metadata).toMatchObject({ labels, annotations: { [key]: value } });
    expect(spec.template.metadata).toMatchObject({
      labels: { ...labels, 'cdk8s-linkerd/ring': 'all' },
      annotations: { [key]: value, 'argocd.argoproj.io/compare-options': 'ServerSideDiff=true' },
    });
  });

  test.each<[object, string]>([
    [{ labels: { 'cdk8s-linkerd/ring': 'x' } }, 'argocd.labels["cdk8s-linkerd/ring"]'],
    [
      { annotations: { 'argocd.argoproj.io/sync-options': 'Delete=true' } },
      'argocd.annotations["argocd.argoproj.io/sync-options"]',
    ],
    [{ annotations: { a: '{{ .name }}' } }, 'argocd.annotations["a"]'],
    [{ annotations: { a: 1 } }, 'argocd.annotations["a"]'],
    [{ labels: [] }, 'argocd.labels'],
    [{ labels: 'x' }, 'argocd.labels'],
  ])('are refused if they are %j', (given, field) => {
    expect(checkOwnMetadata(given as never)).toMatchObject([{ code: 'argocd-value-refused', parameters: { field } }]);
  });

  test.each([{ labels: { 'a b': 'x' } }, { labels: { a: 'not valid!' } }, { annotations: { 'a//b': 'x' } }])(
    'are refused by the rules of Kubernetes if they are %j',
    (given) => expect(checkOwnMetadata(given as never).length).toBeGreaterThan(0),
  );

  test.each([{}, { labels: {}, annotations: {} }, { labels: null, annotations: null }, { annotations: { [key]: '' } }])(
    'are accepted if they are %j',
    (given) => expect(checkOwnMetadata(given as never)).toEqual([]),
  );
});

describe('sync windows and roles', () => {
  const project = (props: object) => appProject({ name: 'mesh', sourceRepos: [], destinations: [], ...props }).spec;
  const WINDOW = { kind: 'deny', schedule: '0 8 * * 1-5', duration: '8h' } as const;

  test('are written to the AppProject', () => {
    expect(project({})).not.toHaveProperty('syncWindows');
    expect(
      project({ syncWindows: [WINDOW, { ...WINDOW, duration: Duration.minutes(90), clusters: ['prod-*'] }] })
        .syncWindows,
    ).toEqual([
      { ...WINDOW, applications: ['*'] },
      { ...WINDOW, duration: '1h30m', clusters: ['prod-*'] },
    ]);
    expect(project({ roles: [{ name: 'on-call', actions: ['sync', 'logs'], groups: ['mesh'] }] }).roles).toEqual([
      {
        name: 'on-call',
        groups: ['mesh'],
        policies: [
          'p, proj:mesh:on-call, applications, sync, mesh/*, allow',
          'p, proj:mesh:on-call, logs, get, mesh/*, allow',
        ],
      },
    ]);
  });

  test.each<[object, string]>([
    [{ kind: 'never' }, 'kind'],
    [{ schedule: 8 }, 'schedule'],
    [{ duration: '10s' }, 'duration'],
    [{ timeZone: 'my zone' }, 'timeZone'],
  ])('refuse a window with %j', (changes, field) => {
    expect(checkSyncWindows([{ ...WINDOW, ...changes } as never])).toMatchObject([
      { code: 'argocd-value-refused', parameters: { field: `argocd.syncWindows[0].${field}` } },
    ]);
  });

  test.each([{ schedule: '@daily' }, { schedule: '99 * * * *' }, { duration: 'eight hours' }, { duration: undefined }])(
    'refuse the schedule or duration of a window with %j',
    (changes) => expect(checkSyncWindows([{ ...WINDOW, ...changes } as never]).length).toBeGreaterThan(0),
  );

  test.each<[object]>([
    [{ name: 'On Call' }],
    [{ actions: [] }],
    [{ actions: ['*'] }],
    [{ actions: 'sync' }],
    [{ actions: undefined }],
    [{ groups: ['a, allow\np, x'] }],
  ])('refuse a role with %j', (changes) => {
    expect(checkRoles([{ name: 'a', actions: ['get'], ...changes } as never]).length).toBeGreaterThan(0);
  });

  test('refuse two roles of the same name', () => {
    const role = { name: 'a', actions: ['get'] } as const;
    expect(checkRoles([role, role])).toMatchObject([{ parameters: { field: 'argocd.roles[1].name' } }]);
    expect(checkRoles([role, { ...role, name: 'b' }])).toEqual([]);
    expect(checkSyncWindows([WINDOW])).toEqual([]);
  });
});

describe('rollingSync', () => {
  const steps = (stages: readonly number[], rings: Parameters<typeof rollingSync>[2] = []) => {
    const folders = stages.map((stage) => ({ cluster: 'home', namespace: `stage-${stage}`, stage }));
    return (rollingSync(folders, { type: 'RollingSync' }, rings).rollingSync?.steps ?? []).map(
      ({ matchExpressions = [] }) => matchExpressions.map(({ operator, values }) => `${operator} ${values}`),
    );
  };

  test('syncs stages in the order of their numbers', () => {
    expect(steps([10, 2])).toEqual([['In 2'], ['NotIn 2']]);
  });

  test('has no condition for a single ring, because Argo CD refuses an empty list of values', () => {
    expect(steps([0], [{ name: 'all', clusters: ['home'] }])).toEqual([[]]);
  });
});

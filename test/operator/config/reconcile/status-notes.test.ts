import type { LinkerdConfigStatus } from '#operator/src/config/objects/linkerd-config';
import { statusNotes } from '#operator/src/config/reconcile/write-status';

type State = readonly [type: string, status: 'True' | 'False', reason: string];

const status = (configHash: string | undefined, ...states: readonly State[]): LinkerdConfigStatus => ({
  configHash,
  conditions: states.map(([type, state, reason]) => ({
    type,
    status: state,
    reason,
    message: `about ${reason}`,
    lastTransitionTime: '2026-11-21T10:00:00Z',
  })),
});
const ready = status('one', ['Ready', 'True', 'InForce'], ['Degraded', 'False', 'AsExpected']);
const stuck = status('one', ['Ready', 'False', 'RolloutStuck'], ['Degraded', 'True', 'RolloutStuck']);
const refused = status('one', ['Ready', 'False', 'Refused'], ['Degraded', 'True', 'Refused']);
const moving = status('two', ['Ready', 'False', 'Restarting'], ['Degraded', 'False', 'AsExpected']);
const reasons = (before: LinkerdConfigStatus | undefined, after: LinkerdConfigStatus) =>
  statusNotes(before, after).map(({ type, reason }) => `${type} ${reason}`);

test.each<[string, LinkerdConfigStatus | undefined, LinkerdConfigStatus, readonly string[]]>([
  ['the first configuration in force', undefined, ready, ['Normal InForce']],
  ['another configuration', ready, moving, ['Normal ConfigurationChanged']],
  ['that the configuration is in force', moving, { ...ready, configHash: 'two' }, ['Normal InForce']],
  ['a problem', ready, stuck, ['Warning RolloutStuck']],
  ['another problem', stuck, refused, ['Warning Refused']],
  ['the end of a problem', stuck, ready, ['Normal InForce']],
  ['nothing without a change', stuck, stuck, []],
])('Events of a status change report %s', (_what, before, after, expected) => {
  expect(reasons(before, after)).toEqual(expected);
});

test('an Event of a status change has the message of the condition', () => {
  expect(statusNotes(ready, stuck)).toEqual([{ type: 'Warning', reason: 'RolloutStuck', note: 'about RolloutStuck' }]);
});

test("the operator emits one Event with the workload's name for each skipped restart", () => {
  const incomplete = (...names: readonly string[]): LinkerdConfigStatus => ({
    ...status('one', ['Ready', 'False', 'RestartIncomplete'], ['Degraded', 'True', 'RestartIncomplete']),
    passedBy: { count: names.length, restarts: names.map((workload) => ({ workload, why: 'too slow' })) },
  });
  const notes = (before: LinkerdConfigStatus | undefined, after: LinkerdConfigStatus) =>
    statusNotes(before, after).map(({ reason, note }) => `${reason}: ${note}`);
  expect(notes(ready, incomplete('a'))).toEqual(['RestartIncomplete: a is skipped: too slow']);
  expect(notes(incomplete('a'), incomplete('a', 'b'))).toEqual(['RestartIncomplete: b is skipped: too slow']);
  expect(notes(incomplete('a', 'b'), incomplete('b'))).toEqual([]);
  expect(notes(ready, incomplete(...'abcdefg'))).toHaveLength(6);
});

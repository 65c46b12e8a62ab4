import { DAY, HOUR } from '#base/time-units';
import type { RestartSchedule } from '#lib/review/report/model';
import { periodOf, reachOf, routine } from '#lib/review/report/simulate/routine';
import { meshFacts } from '../mesh-facts';

const mesh = meshFacts();
const [, issuer] = mesh.pki.certificates;
const JOB: RestartSchedule = {
  name: 'linkerd/job',
  schedule: '0 */6 * * *',
  gap: 6 * HOUR,
  units: [{ workload: 'linkerd/linkerd-identity', certificates: ['linkerd/linkerd-identity-issuer'] }],
};

function issuerLife(outageHours: number, schedules: readonly RestartSchedule[] = []) {
  const { lives } = routine({ ...mesh, schedules }, { outageHours }, 14 * DAY);
  const life = lives.find(({ certificate }) => certificate.role === 'identity-issuer');
  if (life === undefined) throw new Error('there is an issuer');
  return life;
}

test('the simulation repeatedly renews a certificate at renewBefore its expiry', () => {
  const { issuances, gaps } = issuerLife(0);
  expect(issuances.slice(0, 3).map(({ from }) => from / HOUR)).toEqual([0, 23, 46]);
  expect(gaps).toEqual([]);
});

test('the simulation of routine renewals does not renew the anchor', () => {
  const roles = routine(mesh, { outageHours: 0 }, DAY).lives.map(({ certificate }) => certificate.role);
  expect(roles).toEqual(['identity-issuer', 'serving']);
});

test('the simulation renews an issuer earlier if a rotation job does', () => {
  expect(
    issuerLife(0, [JOB])
      .issuances.slice(0, 3)
      .map(({ from }) => from / HOUR),
  ).toEqual([0, 6, 12]);
  expect(issuer && periodOf(issuer, [JOB])).toBe(6 * HOUR);
});

test('the simulation shows leaves that outlive an issuer after a long outage of cert-manager', () => {
  expect(issuerLife(0.5).gaps).toEqual([]);
  const [gap] = issuerLife(2).gaps;
  expect(gap).toMatchObject({ kind: 'outlived', to: 25 * HOUR });
  expect(gap?.from).toBe(24 * HOUR - 20_000);
});

test('an issuer whose renewBefore is shorter than its reach is late only once its renewal is due', () => {
  const certificates = mesh.pki.certificates.map((one) =>
    one.role === 'identity-issuer' ? { ...one, renewBefore: 10 * HOUR } : one,
  );
  const gapsIn = (outageHours: number) =>
    routine({ ...mesh, pki: { ...mesh.pki, certificates } }, { outageHours }, 3 * DAY).lives[0]?.gaps;
  expect(gapsIn(0)).toEqual([]);
  expect(gapsIn(2)).toEqual([{ kind: 'outlived', from: 38 * HOUR, to: 40 * HOUR }]);
});

test('the simulation shows an issuer that expires in an outage longer than renewBefore', () => {
  expect(issuerLife(30).gaps.map(({ kind, from, to }) => [kind, from / HOUR, to / HOUR])).toContainEqual([
    'expired',
    48,
    53,
  ]);
});

test('the simulation runs no rotation jobs during an outage of cert-manager', () => {
  const { restarts } = routine({ ...mesh, schedules: [JOB] }, { outageHours: 12 }, DAY);
  expect(restarts.map(({ at }) => at / HOUR)).toEqual([18, 24]);
});

test('the reach of an issuer is the reach of its leaves, including clock skew', () => {
  expect(issuer && reachOf(issuer, mesh.pki)).toBe(24 * HOUR + 20_000);
});

import { IDENTITY_ISSUER } from '#anchor/trust-anchor';
import { itemsOf } from '../live/observation';
import { earliest, timeText } from '../status/finding';
import { type DoctorInput, doctorFact, type Fact, type Subject, subjects } from './fact';
import { DOCTOR_FINDINGS } from './findings';
import { INJECTOR_CONFIGURATION, idOf } from './mesh';
import { certificatesOf } from './rules/certificates';
import { isStopped, renewalHarm } from './status-facts';

/** Adds the consequences of the facts for the whole mesh. */
export function withConsequences(facts: readonly Fact[], input: DoctorInput): readonly Fact[] {
  const known = [...facts];
  // A consequence may follow from the consequences before it.
  for (const consequence of [renewals, identity, destination, injection]) {
    const fact = consequence(known, input);
    if (fact !== undefined) known.push(fact);
  }
  return known;
}

function breaking(facts: readonly Fact[], needs: readonly Subject[]): readonly Fact[] {
  return facts.filter(({ breaks = [] }) => breaks.some((one) => needs.includes(one)));
}

function sinceOf(facts: readonly Fact[]): number | undefined {
  return earliest(facts.map(({ since }) => since));
}

function renewals(facts: readonly Fact[], input: DoctorInput): Fact | undefined {
  const { mesh, now } = input;
  const needs = subjects({ workload: mesh.certManager, leader: mesh.certManager });
  const causes = breaking(facts, needs);
  const isLeaderless = breaking(facts, subjects({ leader: mesh.certManager })).length > 0;
  if (causes.length === 0 || !(isLeaderless || isStopped(mesh.certManager, input))) return undefined;
  const ends = certificatesOf(input).flatMap((one) =>
    one.notAfter === undefined || one.notAfter <= now ? [] : [{ id: idOf(one), end: one.notAfter }],
  );
  const [first] = ends.toSorted((a, b) => a.end - b.end);
  if (first === undefined) return undefined;
  const harms = ends
    .map(({ id, end }) => renewalHarm(id, end, input))
    .toSorted((a, b) => a.rank - b.rank || a.at - b.at);
  const problem = DOCTOR_FINDINGS.renewalsStopped({ certificate: first.id, end: timeText(first.end) });
  return doctorFact(problem, { since: sinceOf(causes), breaks: { renewals: 'mesh' }, needs, harm: harms[0] });
}

function identity(facts: readonly Fact[], input: DoctorInput): Fact | undefined {
  const { mesh, now, kubectl } = input;
  const { namespace } = mesh;
  const fatal = subjects({ certificate: `${namespace}/${IDENTITY_ISSUER}`, roots: namespace, issuing: namespace });
  const needs = [...fatal, ...subjects({ workload: mesh.identity })];
  const causes = breaking(facts, isStopped(mesh.identity, input) ? needs : fatal);
  if (causes.length === 0) return undefined;
  const parts = { since: sinceOf(causes), breaks: { identity: namespace }, needs };
  return doctorFact(DOCTOR_FINDINGS.identityStopped({ kubectl, namespace }), { ...parts, harm: { rank: 0, at: now } });
}

function destination(facts: readonly Fact[], input: DoctorInput): Fact | undefined {
  const { mesh, now, kubectl } = input;
  const { namespace } = mesh;
  const needs = subjects({ workload: mesh.destination, kinds: 'linkerd' });
  const causes = breaking(facts, needs);
  if (causes.length === 0 || !isStopped(mesh.destination, input)) return undefined;
  const problem = DOCTOR_FINDINGS.destinationStopped({ kubectl, namespace });
  const parts = { since: sinceOf(causes), breaks: { destination: namespace }, needs };
  return doctorFact(problem, { ...parts, harm: { rank: 0, at: now } });
}

function injection(facts: readonly Fact[], input: DoctorInput): Fact | undefined {
  const { seen, mesh, now } = input;
  const webhooks = itemsOf(seen.webhooks);
  const found = webhooks?.find(({ kind, name }) => `${kind} ${name}` === INJECTOR_CONFIGURATION);
  const fatal = subjects({ webhook: INJECTOR_CONFIGURATION, certificate: found?.caFrom });
  const needs = [...fatal, ...subjects({ workload: mesh.injector })];
  const causes = breaking(facts, isStopped(mesh.injector, input) ? needs : fatal);
  if (causes.length === 0) return undefined;
  const isFailing = found?.hooks.some((hook) => hook.isFailing && hook.catchesPods) ?? false;
  const problem = isFailing ? DOCTOR_FINDINGS.injectionStoppedRefused() : DOCTOR_FINDINGS.injectionStoppedIgnored();
  const parts = { since: sinceOf(causes), breaks: { injection: 'pods' }, needs };
  return doctorFact(problem, { ...parts, harm: { rank: 1, at: now } });
}

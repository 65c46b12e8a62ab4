import { neededTime, worstPlan } from '#anchor/worst-plan';
import { counted } from '#base/counted';
import type { ClusterReport, MeshFacts, PkiFacts, PlatformReport } from './model';
import type { FleetCell, FleetTable } from './page/fleet-table';
import { html } from './page/html';
import { span } from './page/time';
import { USUAL } from './simulate/conditions';

const BY_NUMBER = new Intl.Collator('en', { numeric: true });

/** Returns the table of a report's clusters. It runs no simulation, so that large fleets need little time. */
export function fleetOf({ groups, rings = [] }: PlatformReport): FleetTable {
  const ringOf = new Map(rings);
  const rows = groups.flatMap(({ clusters, report }) => {
    const common = [releaseCell(report), findingCell(report), nextCell(report), slackCell(report)];
    return clusters.map((name) => ({
      name,
      cells: [linkCell(name), { content: ringOf.get(name) ?? 'none' }, ...common],
    }));
  });
  return {
    lead: `Slack is the time between the end of a rotation and the expiry of the old trust anchor, if each step takes its maximum time, for ${USUAL.workloads} workloads.`,
    columns: ['Cluster', 'Ring', 'Release', 'Findings', 'Next event', 'Slack'],
    rows: rows.toSorted((a, b) => BY_NUMBER.compare(a.name, b.name)).map(({ cells }) => cells),
  };
}

function linkCell(name: string): FleetCell {
  return { content: html`<a href="#cluster=${encodeURIComponent(name.toWellFormed())}">${name}</a>` };
}

const CONTROL_PLANE = 'linkerd-control-plane ';

function releaseCell({ releases }: ClusterReport): FleetCell {
  const found = releases.find((release) => release.startsWith(CONTROL_PLANE));
  return { content: found?.slice(CONTROL_PLANE.length) ?? 'none' };
}

/** Clusters with the most findings come first. */
function findingCell({ warnings, unreadable }: ClusterReport): FleetCell {
  const open = (warnings ?? []).filter(({ reason }) => reason === undefined).map(({ code }) => code);
  const worst = unreadable.length > 0 ? counted(unreadable.length, 'unreadable file') : open[0];
  const others = unreadable.length > 0 ? open.length : open.length - 1;
  return {
    content: worst === undefined ? 'none' : others > 0 ? `${worst}, and ${others} more` : worst,
    order: -(unreadable.length * 1_000 + open.length),
  };
}

const EVENTS: Readonly<Record<PkiFacts['rotation'], string>> = {
  operator: 'rotation of the trust anchor',
  manual: 'you replace the trust anchor',
  'automatic-unsafe': 'cert-manager replaces the trust anchor',
  none: '',
};

function nextCell({ pki: { anchor, rotation } }: MeshFacts): FleetCell {
  if (anchor === undefined) return { content: 'unknown' };
  const due = anchor.policy.duration - anchor.policy.renewBefore;
  return { content: `${EVENTS[rotation]}, ${span(due)} after its issuance`, order: due };
}

function slackCell({ pki: { anchor, rotation } }: MeshFacts): FleetCell {
  if (anchor === undefined || rotation !== 'operator') return { content: 'unknown' };
  const slack = anchor.policy.renewBefore - neededTime(worstPlan(anchor.policy, USUAL.workloads, 'bridge'));
  return { content: span(slack), order: slack };
}

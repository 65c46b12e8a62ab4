import type { Phase, RotationMilestone } from '#anchor/plan';
import { DAY, HOUR } from '#base/time-units';
import type { MeshFacts, Millis } from '../model';
import { type CertificateLife, periodOf } from '../simulate/routine';
import type { Run } from '../simulate/run';
import { FORTNIGHT, type Forecast, type ViewState } from './state';
import { span, window } from './time';

type Tone = 'old' | 'new' | 'both' | 'step' | 'slack' | 'bad' | 'warn' | 'away' | 'routine' | 'window';

/** A period. */
export interface Bar {
  readonly from: Millis;
  readonly to: Millis;
  readonly tone: Tone;
  readonly label: string;
}

/** A moment. */
export interface Mark {
  readonly at: Millis;
  readonly tone: Tone;
  readonly label: string;
  /** Shows the label to the left of the mark. */
  readonly isSaid?: true;
}

/** A row of the timeline. */
export interface TimelineRow {
  readonly title: string;
  readonly bars: readonly Bar[];
  readonly marks?: readonly Mark[];
  /** A number over time. Each value holds until the next point. */
  readonly curve?: readonly { readonly at: Millis; readonly count: number }[];
}

/** The rows of a timeline, and its range of time. */
export interface Timeline {
  readonly from: Millis;
  readonly to: Millis;
  readonly rows: readonly TimelineRow[];
}

/** Returns the timeline for the chosen range. */
export function timelineOf(report: MeshFacts, forecast: Forecast, state: ViewState): Timeline {
  const { anchor } = report.pki;
  if (state.range === 'fortnight' || anchor === undefined) return fortnight(report, forecast);
  const { duration, renewBefore } = anchor.policy;
  const due = duration - renewBefore;
  const { run } = forecast;
  if (state.range === 'life') return { from: 0, to: duration * 1.1, rows: lifeRows(report, forecast, state) };
  if (run === undefined)
    return { from: due - renewBefore * 0.1, to: duration + renewBefore * 0.05, rows: byHand(report) };
  const rows = rotationRows(run, state);
  if (state.range === 'rotation') return { from: due - renewBefore * 0.06, to: duration + renewBefore * 0.04, rows };
  const turned = run.phases.find(({ phase }) => phase === 'LeavesTurned' || phase === 'Adopted')?.at;
  const length = Math.max((turned ?? due + 2 * DAY) - due, HOUR);
  const [from, to] = [due - length * 0.06, due + length * 1.12];
  return { from, to, rows: rows.filter((row) => isSeen(row, from, to)) };
}

function isSeen({ bars, marks = [], curve }: TimelineRow, from: Millis, to: Millis): boolean {
  if (curve !== undefined || bars.some((bar) => bar.from === bar.to)) return true;
  return bars.some((bar) => bar.to > from && bar.from < to) || marks.some(({ at }) => at > from && at < to);
}

const NAMES = { 'anchor 1': 'old', 'anchor 2': 'new' } as const;

function toneOf(keys: readonly string[]): Tone {
  const names = keys.map((key) => NAMES[key as keyof typeof NAMES]);
  if (names.includes('new')) return names.includes('old') ? 'both' : 'new';
  return 'old';
}

function segments<T extends { readonly at: Millis }>(
  entries: readonly T[],
  end: Millis,
  bar: (entry: T) => Omit<Bar, 'from' | 'to'>,
) {
  return entries.map((entry, index) => ({ from: entry.at, to: entries[index + 1]?.at ?? end, ...bar(entry) }));
}

function rotationRows(run: Run, state: ViewState): readonly TimelineRow[] {
  const { due, end, done } = run;
  const last = Math.max(end * 1.2, done ?? 0);
  const minted = run.bundles.find(({ keys }) => keys.length > 1)?.at;
  const steps = segments(run.phases, done ?? end, ({ phase }) => ({
    tone: 'step' as const,
    label: PHASES[phase] ?? phase,
  }));
  return [
    { title: 'Phase', bars: steps.filter(({ label }) => label !== '') },
    ...conditionRow(run, state),
    {
      title: 'Anchors',
      bars: [
        {
          from: 0,
          to: done ?? end,
          tone: 'old',
          label: done === undefined ? 'old anchor' : 'old anchor, its key is deleted at the end',
        },
      ],
    },
    { title: '', bars: minted === undefined ? [] : [{ from: minted, to: last, tone: 'new', label: 'new anchor' }] },
    {
      title: 'New pods get',
      bars: segments([{ at: 0, keys: ['anchor 1'] }, ...run.bundles.slice(1)], last, ({ keys }) => {
        const tone = toneOf(keys);
        return { tone, label: tone === 'both' ? 'both anchors' : `the ${tone} anchor` };
      }),
    },
    {
      title: 'Identity signs with',
      bars: segments(
        [{ at: 0, signer: 'anchor 1', bridged: false }, ...run.issuers.slice(1)],
        last,
        ({ signer, bridged }) => ({
          tone: bridged ? 'both' : toneOf([signer]),
          label: bridged ? 'the new anchor, certified by the old one' : `the ${toneOf([signer])} anchor`,
        }),
      ),
    },
    { title: 'Workloads that trust only the old anchor', bars: [], curve: run.laggards },
    restartRow(run),
    slackRow(run, due),
  ];
}

const PHASES: Readonly<Record<RotationMilestone | 'Stable', string> & Partial<Record<Phase, string>>> = {
  Stable: '',
  Minted: 'Minted',
  Announced: 'Announced',
  Bridged: 'Bridged',
  Signing: 'Signing: proxies renew their certificates',
  LeavesTurned: 'LeavesTurned: waiting for pods to restart',
  Adopted: 'Adopted',
  Retired: '',
};

function restartRow({ forced, identityRestarts }: Run): TimelineRow {
  return {
    title: 'Restarts by the operator',
    bars: forced.length + identityRestarts.length === 0 ? [{ from: 0, to: 0, tone: 'step', label: 'none' }] : [],
    marks: [
      ...forced.map((at, index) => ({ at, tone: 'warn' as const, label: `restart ${index + 1} of ${forced.length}` })),
      ...identityRestarts.map((at) => ({ at, tone: 'bad' as const, label: 'restart of identity' })),
    ],
  };
}

function slackRow({ due, end, done, needed, broken }: Run, begin: Millis): TimelineRow {
  const latest = end - needed;
  return {
    title: 'Time left',
    bars: [
      done === undefined
        ? { from: begin, to: end, tone: 'bad', label: 'not done in time' }
        : { from: done, to: end, tone: 'slack', label: `${span(end - done)} left` },
    ],
    marks: [
      ...(latest > due
        ? [{ at: latest, tone: 'warn' as const, label: `latest start: the rotation takes at most ${span(needed)}` }]
        : []),
      { at: end, tone: 'bad', label: 'the old anchor expires', isSaid: true },
      ...broken.map(({ at }) => ({ at, tone: 'bad' as const, label: 'proxies may reject each other' })),
    ],
  };
}

function conditionRow({ due }: Run, { conditions }: ViewState): readonly TimelineRow[] {
  const { outageHours, awayDays } = conditions;
  const bars: Bar[] = [
    ...(outageHours > 0
      ? [{ from: due, to: due + outageHours * HOUR, tone: 'bad' as const, label: 'cert-manager is down' }]
      : []),
    ...(awayDays > 0 ? [{ from: due, to: due + awayDays * DAY, tone: 'away' as const, label: 'a node is down' }] : []),
  ];
  return bars.map((bar) => ({ title: bar.label, bars: [bar] }));
}

function lifeRows({ pki, schedules }: MeshFacts, { run }: Forecast, state: ViewState): readonly TimelineRow[] {
  const { anchor } = pki;
  if (anchor === undefined) return [];
  const { duration, renewBefore } = anchor.policy;
  const due = duration - renewBefore;
  const taken = run?.done ?? run?.end;
  const issuer = pki.certificates.find(({ role }) => role === 'identity-issuer');
  const period = issuer && periodOf(issuer, schedules);
  return [
    {
      title: 'Old anchor',
      bars: [{ from: 0, to: taken ?? duration, tone: 'old', label: `valid for ${window(duration)}` }],
    },
    {
      title: 'New anchor',
      bars: run === undefined ? [] : [{ from: due, to: due + duration, tone: 'new', label: 'the next one' }],
    },
    run === undefined
      ? {
          title: pki.rotation === 'manual' ? 'Rotate by hand' : 'Restart pods',
          bars: [{ from: due, to: duration, tone: 'window', label: window(renewBefore) }],
        }
      : {
          title: 'Rotation, time left',
          bars: [{ from: due, to: taken ?? due, tone: 'step', label: 'rotation' }, ...slackRow(run, due).bars],
        },
    {
      title: 'Identity issuer',
      bars:
        period === undefined
          ? []
          : [{ from: 0, to: duration * 1.2, tone: 'routine', label: `replaced every ${span(period)}` }],
    },
    {
      title: 'CA of webhooks',
      bars: pki.certificates
        .filter(({ role }) => role === 'webhook-ca')
        .slice(0, 1)
        .flatMap((ca) => periods(ca.duration - ca.renewBefore, duration * 1.1)),
    },
    {
      title: 'Restarts by jobs',
      bars: schedules.flatMap(({ gap }) =>
        gap === undefined
          ? []
          : [{ from: 0, to: duration * 1.2, tone: 'routine' as const, label: `every ${span(gap)}` }],
      ),
    },
  ].filter(
    ({ bars, title }) => bars.length > 0 || (title === 'New anchor' && state.asOperator),
  ) as readonly TimelineRow[];
}

function periods(period: Millis, until: Millis): readonly Bar[] {
  const count = Math.min(60, Math.ceil(until / period));
  return Array.from({ length: count }, (_, index) => ({
    from: index * period,
    to: (index + 1) * period,
    tone: 'routine',
    label: '',
  }));
}

function byHand({ pki, schedules }: MeshFacts): readonly TimelineRow[] {
  const { anchor, certificates, rotation } = pki;
  if (anchor === undefined) return [];
  const { duration, renewBefore } = anchor.policy;
  const due = duration - renewBefore;
  const issuer = certificates.find(({ role }) => role === 'identity-issuer');
  const isManual = rotation === 'manual';
  const period = issuer === undefined ? 0 : periodOf(issuer, schedules);
  const deadline = isManual ? duration - (issuer?.duration ?? 0) : due + period;
  return [
    { title: 'Anchor', bars: [{ from: 0, to: duration, tone: 'old', label: `expires after ${window(duration)}` }] },
    {
      title: isManual ? 'Rotate by hand' : 'Restart pods',
      bars: [{ from: due, to: deadline, tone: 'window', label: `${span(deadline - due)} to do this` }],
    },
    {
      title: isManual ? 'The mesh fails' : 'Pods not restarted fail',
      bars: [{ from: isManual ? duration : deadline, to: duration * 2, tone: 'bad', label: '' }],
    },
  ];
}

/** Starts when all certificates are issued. Webhook certificates with equal issuances share one row. */
function fortnight({ schedules }: MeshFacts, { routine }: Forecast): Timeline {
  const { outage, lives, restarts } = routine;
  const groups = new Map<string, CertificateLife[]>();
  for (const life of lives) {
    const key = life.certificate.role === 'serving' ? JSON.stringify(life.issuances) : life.certificate.id;
    groups.set(key, [...(groups.get(key) ?? []), life]);
  }
  const away: TimelineRow = {
    title: 'cert-manager is down',
    bars: outage === undefined ? [] : [{ ...outage, tone: 'bad', label: 'cert-manager is down' }],
  };
  const jobs: TimelineRow = {
    title: 'Restarts by a job',
    bars: [],
    marks: restarts.map(({ at, workloads }) => ({ at, tone: 'new', label: `restarted: ${workloads.join(', ')}` })),
  };
  return {
    from: 0,
    to: FORTNIGHT,
    rows: [
      ...(outage === undefined ? [] : [away]),
      ...[...groups.values()].map(lifeRow),
      ...(schedules.length === 0 ? [] : [jobs]),
    ],
  };
}

function lifeRow(lives: readonly CertificateLife[]): TimelineRow {
  const [first] = lives;
  const names = lives.map(({ certificate: { id } }) => id.slice(id.indexOf('/') + 1));
  const issuances = first?.issuances ?? [];
  return {
    title: names.length > 1 ? `${names.length} webhook certificates` : (names[0] ?? ''),
    bars: [
      ...issuances.map(({ from, replaced }) => ({ from, to: replaced, tone: 'routine' as const, label: '' })),
      ...(first?.gaps ?? []).map(({ from, to, kind }) => ({
        from,
        to,
        tone: kind === 'expired' ? ('bad' as const) : ('warn' as const),
        label: kind === 'expired' ? 'expired' : 'signs certificates that outlive it',
      })),
    ],
    marks: issuances
      .slice(1)
      .map(({ from }) => ({ at: from, tone: 'old' as const, label: `${names.join(', ')}: renewed` })),
  };
}

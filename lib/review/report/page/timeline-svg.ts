import { type Html, html } from './html';
import { type Calendar, moment, ticks } from './time';
import type { Bar, Mark, Timeline, TimelineRow } from './timeline';

/** Below this width, in pixels, titles are above their rows. */
const NARROW = 640;

const GUTTER = 176;
const BAR = 20;
const STEP = 30;
const CURVE = 44;
const TITLE = 15;
const AXIS = 26;

/** Average width of a character of the labels, in pixels. */
const CHARACTER = 6.1;

interface Frame {
  readonly timeline: Timeline;
  readonly calendar: Calendar;
  readonly left: number;
  readonly right: number;
  readonly isNarrow: boolean;
}

/** Renders a timeline as a picture. A table contains the same information. */
export function timelineSvg(
  timeline: Timeline,
  calendar: Calendar,
  size: { readonly width: number; readonly now?: number },
): Html {
  const width = Math.max(280, Math.round(size.width));
  const isNarrow = width < NARROW;
  const frame: Frame = { timeline, calendar, left: isNarrow ? 4 : GUTTER, right: width - 12, isNarrow };
  let top = AXIS;
  const rows = timeline.rows.map((row) => {
    const drawn = rowSvg(row, top, frame);
    top += heightOf(row, isNarrow);
    return drawn;
  });
  const height = Math.ceil(top + 8);
  return html`<svg viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="timeline-title" aria-describedby="timeline-text">
<title id="timeline-title">Timeline, also in the table below</title>
<defs><pattern id="hatch" width="9" height="9" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="9" height="9" class="hatch-ground"/><rect width="4" height="9" class="hatch-line"/></pattern>
<clipPath id="plot"><rect x="${frame.left}" y="0" width="${frame.right - frame.left}" height="${height}"/></clipPath></defs>
${axis(frame, height)}${nowLine(frame, size.now, height)}${rows}
</svg>`;
}

function heightOf({ curve, title }: TimelineRow, isNarrow: boolean): number {
  const own = curve === undefined ? STEP : CURVE + 10;
  return isNarrow && title !== '' ? own + TITLE : own;
}

function x(at: number, { timeline: { from, to }, left, right }: Frame): number {
  return Math.round((left + ((at - from) / (to - from)) * (right - left)) * 10) / 10;
}

function axis(frame: Frame, height: number): Html {
  const { timeline, left, right, calendar } = frame;
  const most = Math.floor((right - left) / 86);
  const drawn = ticks(timeline.from, timeline.to, most, calendar).map(({ at, label }) => {
    const place = x(at, frame);
    const [anchor, textAt] =
      place - left < 24
        ? ['start', place]
        : right - place < 30
          ? ['end', Math.min(right, place + 4)]
          : ['middle', place];
    return html`<line class="grid" x1="${place}" x2="${place}" y1="18" y2="${height - 4}"/><text class="tick" x="${textAt}" y="12" text-anchor="${anchor}">${label}</text>`;
  });
  return html`<g aria-hidden="true">${drawn}</g>`;
}

function nowLine(frame: Frame, now: number | undefined, height: number): Html | undefined {
  if (now === undefined || now < frame.timeline.from || now > frame.timeline.to) return undefined;
  const place = x(now, frame);
  return html`<line class="now" x1="${place}" x2="${place}" y1="16" y2="${height - 4}"><title>today</title></line>`;
}

function rowSvg(row: TimelineRow, top: number, frame: Frame): Html {
  const { isNarrow, left } = frame;
  const { title, curve } = row;
  const y = isNarrow && title !== '' ? top + TITLE : top;
  const height = curve === undefined ? BAR : CURVE;
  const heading =
    title === ''
      ? undefined
      : isNarrow
        ? html`<text class="row-title" x="${left}" y="${top + 9}">${title}</text>`
        : titleLines(title, y + height / 2);
  return html`<g>${heading}<line class="base" x1="${left}" x2="${frame.right}" y1="${y + height + 0.5}" y2="${y + height + 0.5}"/>
<g clip-path="url(#plot)">${row.bars.map((bar) => barSvg(bar, y, frame))}${curve && curveSvg(curve, y, frame)}${marksSvg(row.marks ?? [], y, frame)}</g></g>`;
}

function titleLines(title: string, middle: number): Html {
  const most = Math.floor((GUTTER - 14) / CHARACTER);
  if (title.length <= most)
    return html`<text class="row-title" x="${GUTTER - 12}" y="${middle + 4}" text-anchor="end">${title}</text>`;
  const cut = title.lastIndexOf(' ', most);
  if (cut <= 0)
    return html`<text class="row-title" x="${GUTTER - 12}" y="${middle + 4}" text-anchor="end"><title>${title}</title>${title.slice(0, most - 1)}\u2026</text>`;
  return html`<text class="row-title" x="${GUTTER - 12}" y="${middle - 3}" text-anchor="end">${title.slice(0, cut)}<tspan x="${GUTTER - 12}" dy="13">${title.slice(cut + 1)}</tspan></text>`;
}

function barSvg({ from, to, tone, label }: Bar, y: number, frame: Frame): Html | undefined {
  const { timeline, left, right, calendar } = frame;
  // A bar without a length is a remark, shown at the left.
  if (to <= from) return html`<text class="remark" x="${left + 6}" y="${y + 14}">${label}</text>`;
  if (to < timeline.from || from > timeline.to) return undefined;
  const start = Math.max(left, x(from, frame));
  const end = Math.min(right, x(to, frame));
  const width = Math.max(1.5, Math.round((end - start) * 10) / 10);
  const title = `${label === '' ? '' : `${label}: `}${moment(from, calendar)} to ${moment(to, calendar)}`;
  return html`<rect class="bar ${tone}" x="${start}" y="${y}" width="${width}" height="${BAR}" rx="2"><title>${title}</title></rect>${labelOf(label, { start, width, y, tone })}`;
}

function labelOf(
  label: string,
  { start, width, y, tone }: { start: number; width: number; y: number; tone: string },
): Html | undefined {
  const room = Math.floor((width - 10) / CHARACTER);
  const short = label.length <= room ? label : (label.split(/[:,]/)[0] ?? '');
  if (short === '' || short.length > room) return undefined;
  return html`<text class="label on-${tone}" x="${start + 6}" y="${y + 14}">${short}</text>`;
}

function marksSvg(marks: readonly Mark[], y: number, frame: Frame): readonly Html[] {
  const { timeline, calendar } = frame;
  const drawn = new Set<string>();
  return marks
    .filter(({ at }) => at >= timeline.from && at <= timeline.to)
    .flatMap(({ at, tone, label, isSaid }) => {
      const place = Math.round(x(at, frame) * 2) / 2;
      const key = `${place} ${tone}`;
      if (drawn.has(key)) return [];
      drawn.add(key);
      return [
        html`<rect class="mark ${tone}" x="${place - 1.25}" y="${y - 2}" width="2.5" height="${BAR + 4}"><title>${label}: ${moment(at, calendar)}</title></rect>${isSaid && html`<text class="said" x="${place - 8}" y="${y + 14}" text-anchor="end">${label}</text>`}`,
      ];
    });
}

function curveSvg(points: readonly { readonly at: number; readonly count: number }[], y: number, frame: Frame): Html {
  const most = Math.max(1, ...points.map(({ count }) => count));
  const height = (count: number) => Math.round((y + CURVE - (count / most) * (CURVE - 6)) * 10) / 10;
  const end = frame.timeline.to;
  const steps = points.flatMap(({ at, count }, index) => {
    const to = points[index + 1]?.at ?? end;
    return [`${x(at, frame)},${height(count)}`, `${x(Math.max(at, to), frame)},${height(count)}`];
  });
  const first = x(points[0]?.at ?? 0, frame);
  const peak = points.find(({ count }) => count === most);
  return html`<polygon class="area" points="${first},${y + CURVE} ${steps.join(' ')} ${x(end, frame)},${y + CURVE}"/><polyline class="curve" points="${steps.join(' ')}"/>${peak && most > 1 && peakLabel(most, x(peak.at, frame), y, frame)}`;
}

function peakLabel(count: number, place: number, y: number, { left }: Frame): Html {
  const isBefore = place - left > 40;
  return html`<text class="remark" x="${isBefore ? place - 5 : Math.max(left, place) + 8}" y="${y + 14}" text-anchor="${isBefore ? 'end' : 'start'}">${count}</text>`;
}

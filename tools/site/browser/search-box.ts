import { type Hit, type SearchIndex, searcher } from './search';

declare global {
  interface Window {
    /** Set by the script of the index. */
    siteSearchIndex?: SearchIndex;
  }
}

/** Makes the search box work: it is a combobox, whose list of links the arrow keys walk. */
export function searchBox(root: string): void {
  const input = document.querySelector<HTMLInputElement>('#search');
  const list = document.querySelector<HTMLElement>('#search-results');
  const status = document.querySelector<HTMLElement>('#search-status');
  const form = input?.closest('form');
  if (!input || !list || !status || !form) return;
  form.hidden = false;
  new SearchBox({ input, list, status, form }, root).listen();
}

interface Elements {
  readonly input: HTMLInputElement;
  readonly list: HTMLElement;
  readonly status: HTMLElement;
  readonly form: HTMLFormElement;
}

class SearchBox {
  private find?: (query: string) => readonly Hit[];
  private chosen = -1;

  constructor(
    private readonly elements: Elements,
    private readonly root: string,
  ) {}

  listen(): void {
    const { input, list, form } = this.elements;
    input.addEventListener('focus', () => {
      loadIndex(this.root).then(
        (index) => {
          this.find ??= searcher(index);
          this.show();
        },
        (error: Error) => this.say(error.message),
      );
    });
    input.addEventListener('input', () => this.show());
    input.addEventListener('keydown', (event) => this.keyInBox(event));
    form.addEventListener('submit', (event) => event.preventDefault());
    list.addEventListener('click', () => this.close());
    document.addEventListener('click', ({ target }) => {
      if (target instanceof Node && !form.contains(target)) this.close();
    });
    document.addEventListener('keydown', (event) => this.keyOnPage(event));
  }

  private keyInBox(event: KeyboardEvent): void {
    const { input } = this.elements;
    if (event.key === 'ArrowDown') this.choose(this.chosen + 1);
    else if (event.key === 'ArrowUp') this.choose(this.chosen - 1);
    else if (event.key === 'Enter') this.options()[this.chosen]?.click();
    else if (event.key === 'Escape') {
      input.value = '';
      this.close();
      input.blur();
    } else return;
    event.preventDefault();
  }

  private keyOnPage(event: KeyboardEvent): void {
    const { input } = this.elements;
    const isTyping = event.target instanceof HTMLInputElement;
    const isAsked = (event.key === '/' && !isTyping) || (event.key === 'k' && (event.ctrlKey || event.metaKey));
    if (!isAsked) return;
    event.preventDefault();
    input.focus();
    input.select();
  }

  private options(): readonly HTMLAnchorElement[] {
    return [...this.elements.list.querySelectorAll('a')];
  }

  private choose(index: number): void {
    const { input } = this.elements;
    const all = this.options();
    this.chosen = all.length === 0 ? -1 : (index + all.length) % all.length;
    for (const [at, option] of all.entries()) option.setAttribute('aria-selected', String(at === this.chosen));
    const option = all[this.chosen];
    option?.scrollIntoView({ block: 'nearest' });
    if (option === undefined) input.removeAttribute('aria-activedescendant');
    else input.setAttribute('aria-activedescendant', option.id);
  }

  private close(): void {
    const { input, list } = this.elements;
    list.hidden = true;
    list.replaceChildren();
    input.setAttribute('aria-expanded', 'false');
    this.choose(-1);
  }

  private show(): void {
    const { input, list, status } = this.elements;
    const query = input.value.trim();
    if (query === '' || this.find === undefined) {
      status.textContent = '';
      this.close();
      return;
    }
    const hits = this.find(query);
    if (hits.length === 0) {
      this.say(`Nothing is found for “${query}”.`);
      return;
    }
    list.replaceChildren(...hits.map((hit, index) => optionOf(hit, index, this.root)));
    status.textContent = `${hits.length} places are found`;
    this.open();
    this.choose(0);
  }

  private say(text: string): void {
    const message = document.createElement('p');
    message.textContent = text;
    this.elements.status.textContent = text;
    this.elements.list.replaceChildren(message);
    this.open();
    this.choose(-1);
  }

  private open(): void {
    this.elements.list.hidden = false;
    this.elements.input.setAttribute('aria-expanded', 'true');
  }
}

function optionOf(hit: Hit, index: number, root: string): HTMLElement {
  const option = document.createElement('a');
  option.id = `search-${index}`;
  option.href = root + hit.url;
  option.setAttribute('role', 'option');
  option.tabIndex = -1;
  const title = document.createElement('span');
  title.className = 'title';
  title.textContent = hit.title;
  const place = document.createElement('span');
  place.className = 'place';
  place.textContent = hit.title === hit.page ? hit.kind : `${hit.page} · ${hit.kind}`;
  const excerpt = document.createElement('span');
  excerpt.className = 'excerpt';
  for (const { text, isMarked } of hit.excerpt) {
    const part = document.createElement(isMarked ? 'mark' : 'span');
    part.textContent = text;
    excerpt.append(part);
  }
  option.append(title, place, excerpt);
  return option;
}

let loading: Promise<SearchIndex> | undefined;

/** Loads the index when the user begins to search: as a script, because pages opened as files can load nothing else. */
function loadIndex(root: string): Promise<SearchIndex> {
  loading ??= new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = `${root}search-index.js`;
    script.addEventListener('load', () => resolve(window.siteSearchIndex ?? { pages: [], entries: [] }));
    script.addEventListener('error', () => reject(new Error('the search index cannot be loaded')));
    document.head.append(script);
  });
  return loading;
}

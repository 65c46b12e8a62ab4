import { searchBox } from './search-box';

const root = document.documentElement.dataset.root ?? '';

searchBox(root);
themeButton();
menuButton();
copyButtons();
contentsFilter();
currentSection();

function themeButton(): void {
  const button = document.querySelector<HTMLButtonElement>('#theme');
  if (button === null) return;
  button.hidden = false;
  button.addEventListener('click', () => {
    const { dataset } = document.documentElement;
    const isDark =
      dataset.theme === undefined ? matchMedia('(prefers-color-scheme: dark)').matches : dataset.theme === 'dark';
    dataset.theme = isDark ? 'light' : 'dark';
    try {
      localStorage.setItem('theme', dataset.theme);
    } catch {
      // Where nothing may be kept, the choice holds for the page.
    }
  });
}

function menuButton(): void {
  const button = document.querySelector<HTMLButtonElement>('#menu');
  const navigation = document.querySelector<HTMLElement>('#navigation');
  if (button === null || navigation === null) return;
  const set = (isOpen: boolean) => {
    button.setAttribute('aria-expanded', String(isOpen));
    document.documentElement.classList.toggle('menu-open', isOpen);
  };
  button.addEventListener('click', () => set(button.getAttribute('aria-expanded') !== 'true'));
  document.addEventListener('keydown', ({ key }) => {
    if (key === 'Escape') set(false);
  });
  navigation.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' });
}

function copyButtons(): void {
  for (const figure of document.querySelectorAll<HTMLElement>('figure.code')) {
    const code = figure.querySelector('code');
    if (code === null || navigator.clipboard === undefined) continue;
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'copy';
    button.textContent = 'Copy';
    button.addEventListener('click', () => {
      void navigator.clipboard.writeText(code.textContent ?? '').then(() => {
        button.textContent = 'Copied';
        setTimeout(() => {
          button.textContent = 'Copy';
        }, 1500);
      });
    });
    figure.append(button);
  }
}

/** Contents of more entries than this can be filtered. */
const MANY = 20;

function contentsFilter(): void {
  const contents = document.querySelector<HTMLElement>('#contents');
  const entries = [...(contents?.querySelectorAll('li') ?? [])];
  const list = contents?.querySelector('ul');
  if (contents === null || list === null || list === undefined || entries.length <= MANY) return;
  const filter = document.createElement('input');
  filter.type = 'search';
  filter.placeholder = 'Filter this page';
  filter.setAttribute('aria-label', 'Filter the contents of this page');
  filter.addEventListener('input', () => {
    const wanted = filter.value.trim().toLowerCase();
    for (const entry of entries) entry.hidden = !(entry.textContent ?? '').toLowerCase().includes(wanted);
  });
  list.before(filter);
}

function currentSection(): void {
  const links = new Map(
    [...document.querySelectorAll<HTMLAnchorElement>('#contents a')].map((link) => [link.hash.slice(1), link]),
  );
  const headings = [...links.keys()].flatMap((id) => document.getElementById(decodeURIComponent(id)) ?? []);
  const observer = new IntersectionObserver(
    (entries) => {
      const top = entries.find(({ isIntersecting }) => isIntersecting);
      if (top === undefined) return;
      for (const link of links.values()) link.removeAttribute('aria-current');
      links.get(encodeURIComponent(top.target.id))?.setAttribute('aria-current', 'true');
      links.get(top.target.id)?.setAttribute('aria-current', 'true');
    },
    { rootMargin: '-80px 0px -75% 0px' },
  );
  for (const heading of headings) observer.observe(heading);
}

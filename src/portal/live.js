/* Keeps a page of the fleet up to date. A separate file, because the policy of the page blocks inline scripts. */
const pollMs = 5_000;
const longestWaitMs = 60_000;
/** A request without a response for this long has failed. */
const timeoutMs = 15_000;

const region = document.getElementById('live');
const note = document.getElementById('live-note');
let tag = region.dataset.tag;
let updatedAt = new Date();
let failures = 0;
let hasEnded = false; // nothing more to poll: the visitor lost the access
let timer;
let pending; // the request in flight

/** Told once: a text that changes with each try would be read aloud each time. */
function tell(text, link, address) {
  if (note.dataset.text === text) return;
  note.dataset.text = text;
  note.replaceChildren(text);
  if (link === undefined) return;
  const anchor = document.createElement('a');
  anchor.href = address;
  anchor.textContent = link;
  note.append(' ', anchor, '.');
}

const here = () => location.pathname + location.search;

function end(text, link, address) {
  hasEnded = true;
  tell(text, link, address);
}

async function poll() {
  const request = (pending = new AbortController());
  try {
    const response = await fetch(location.pathname + location.search, {
      headers: { 'Live-Org': region.dataset.org, 'If-None-Match': tag },
      redirect: 'manual',
      signal: AbortSignal.any([request.signal, AbortSignal.timeout(timeoutMs)]),
    });
    if (response.status === 401 || response.type === 'opaqueredirect')
      return end(
        'You are signed out, so this page is not updated.',
        'Sign in',
        `/sign-in?return_to=${encodeURIComponent(here())}`,
      );
    // A 404 without a page is from a replica of the previous release, during an upgrade.
    const isPage = response.headers.get('Content-Type')?.startsWith('text/html');
    if (response.status === 403 || (response.status === 404 && isPage))
      return end('This page is no longer available to you, so it is not updated.', 'Go to your page', '/portal');
    if (response.status !== 200 && response.status !== 304) throw new Error(`status ${response.status}`);
    const received = response.headers.get('ETag');
    if (received === null) throw new Error('not from the service');
    if (response.status === 200) update(await response.text());
    tag = received;
    failures = 0;
    updatedAt = new Date();
    tell('');
  } catch {
    if (request.signal.aborted) return; // the tab was hidden
    failures += 1;
    const since = updatedAt.toISOString().slice(11, 19);
    tell(`Not updated since ${since} UTC: the service does not respond. Retrying.`);
  } finally {
    if (pending === request) {
      pending = undefined;
      schedule();
    }
  }
}

function schedule() {
  if (hasEnded || document.hidden) return;
  timer = setTimeout(poll, Math.min(pollMs * 2 ** failures, longestWaitMs));
}

document.addEventListener('visibilitychange', () => {
  clearTimeout(timer);
  if (document.hidden) {
    pending?.abort();
    pending = undefined;
  } else if (!hasEnded && pending === undefined) void poll();
});
window.addEventListener('online', () => {
  if (hasEnded || document.hidden || pending !== undefined) return;
  clearTimeout(timer);
  void poll();
});

/** Changes only what differs, so that focus, selection, scroll positions and open details stay where they are. */
function update(markup) {
  const focused = document.activeElement;
  const next = document.createElement('div');
  next.innerHTML = markup; // scripts in it do not run, and the policy forbids them
  updateChildren(region, next);
  if (focused !== document.activeElement && region.contains(focused)) focused.focus({ preventScroll: true });
}

/** What a node is recognized by among its siblings. A row of a table is known by its first link. */
function keyOf(node) {
  if (node.nodeType !== Node.ELEMENT_NODE) return undefined;
  if (node.id !== '') return node.id;
  return node.localName === 'tr' ? node.querySelector('th a')?.getAttribute('href') : undefined;
}

const isSame = (one, other) =>
  one.nodeType === other.nodeType && one.nodeName === other.nodeName && keyOf(one) === keyOf(other);

function updateChildren(parent, next) {
  const wanted = new Set([...next.childNodes].map(keyOf).filter((key) => key !== undefined));
  let old = parent.firstChild;
  for (const node of [...next.childNodes]) {
    while (old && keyOf(old) !== undefined && !wanted.has(keyOf(old))) old = remove(old);
    const known = keyOf(node) === undefined ? undefined : later(old, node);
    // Removing what stands before a known node keeps it in place; moving it would end a selection in it.
    while (known && old !== known && !wanted.has(keyOf(old))) old = remove(old);
    if (old && isSame(old, node)) {
      updateNode(old, node);
      old = old.nextSibling;
    } else if (known) {
      updateNode(known, node);
      parent.insertBefore(known, old);
    } else parent.insertBefore(node, old);
  }
  while (old) old = remove(old);
}

function remove(node) {
  const after = node.nextSibling;
  node.remove();
  return after;
}

function later(from, node) {
  for (let each = from; each; each = each.nextSibling) if (isSame(each, node)) return each;
  return undefined;
}

function updateNode(old, next) {
  if (old.nodeType !== Node.ELEMENT_NODE) {
    if (old.data !== next.data) old.data = next.data;
    return;
  }
  for (const { name } of [...old.attributes])
    if (!next.hasAttribute(name) && name !== 'open') old.removeAttribute(name);
  for (const { name, value } of next.attributes) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  updateChildren(old, next);
}

schedule();

import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { drawMail } from './draw-mail.ts';

interface MailFrameProps {
  /** Names the frame for screen readers. */
  readonly title: string;
  /** The mail as HTML. */
  readonly html: string;
}

/** Pixels before the mail is measured. */
const usualHeight = 560;

/**
 * A mail's HTML as a mail program shows it. Nothing in it runs: the frame allows no scripts and no forms, and a link
 * opens in a tab of its own.
 */
export function MailFrame({ title, html }: MailFrameProps) {
  const frame = useRef<HTMLIFrameElement>(null);
  const [height, setHeight] = useState(usualHeight);

  const draw = useEffectEvent(() => {
    const page = frame.current?.contentDocument;
    if (!page) return;
    drawMail(page, html);
    setHeight(page.documentElement.scrollHeight || usualHeight);
  });
  // Some browsers have loaded the empty frame before its `load` event is handled, others replace its page at `load`.
  useEffect(() => {
    const one = frame.current;
    const redraw = () => draw();
    redraw();
    one?.addEventListener('load', redraw);
    return () => one?.removeEventListener('load', redraw);
  }, [html]);

  return (
    <iframe
      key={html}
      ref={frame}
      title={title}
      // Without `allow-same-origin` we couldn't write into it; without `allow-scripts` it can do nothing with our
      // origin.
      sandbox="allow-same-origin allow-popups allow-popups-to-escape-sandbox"
      height={height}
      className="block w-full rounded-card border border-line bg-white"
    />
  );
}

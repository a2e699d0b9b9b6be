/** Water lilies in a bend of water: the clinic's ornament, in the theme's colours. Decorative. */
export function LilyPond({ className }: { readonly className?: string }) {
  return (
    <svg viewBox="0 0 560 420" className={className} aria-hidden="true" preserveAspectRatio="xMaxYMax slice">
      <rect width="560" height="420" className="fill-tint" />
      <circle cx="420" cy="112" r="66" className="fill-accent/70" />
      <path className="fill-primary/10" d="M0 176C90 136 190 196 290 168S470 136 560 176V420H0Z" />
      <path className="fill-primary/15" d="M0 256C100 226 190 286 300 254S480 226 560 262V420H0Z" />
      <path className="fill-primary/20" d="M0 336C110 306 200 366 310 334S480 312 560 340V420H0Z" />
      <g className="fill-primary/55">
        <ellipse cx="134" cy="300" rx="74" ry="24" />
        <ellipse cx="422" cy="352" rx="92" ry="28" />
        <ellipse cx="346" cy="224" rx="46" ry="14" />
      </g>
      <Lily x={134} y={296} size={1} />
      <Lily x={422} y={346} size={1.3} />
      <Lily x={346} y={222} size={0.62} />
    </svg>
  );
}

function Lily({ x, y, size }: { readonly x: number; readonly y: number; readonly size: number }) {
  return (
    <g transform={`translate(${x} ${y}) scale(${size})`}>
      <path
        fill="#fffdfa"
        d="M-58 -34C-30 -34 -12 -18 0 4C-30 8 -52 -8 -58 -34ZM58 -34C30 -34 12 -18 0 4C30 8 52 -8 58 -34Z"
      />
      <path
        fill="#fbe0cc"
        d="M-36 -62C-14 -54 0 -30 0 4C-28 -4 -42 -30 -36 -62ZM36 -62C14 -54 0 -30 0 4C28 -4 42 -30 36 -62Z"
      />
      <path className="fill-accent" d="M0 -80C20 -56 22 -22 0 6C-22 -22 -20 -56 0 -80Z" />
    </g>
  );
}

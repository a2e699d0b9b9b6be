import { useMemo } from 'react';
import { encode } from 'uqr';

/** A QR code. @param text - its content. @param label - text alternative */
export function QrCode({ text, label }: { readonly text: string; readonly label: string }) {
  const { size, path } = useMemo(() => {
    const { size: edge, data } = encode(text, { ecc: 'M', border: 4 });
    const dark = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : [])));
    return { size: edge, path: dark.join('') };
  }, [text]);
  return (
    // Dark on light in both themes, the only way cameras can read it.
    <svg
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
      className="size-52 rounded-lg border border-line bg-white text-black"
    >
      <path d={path} fill="currentColor" />
    </svg>
  );
}

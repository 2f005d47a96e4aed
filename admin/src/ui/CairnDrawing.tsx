// A small cairn in line art, for places where nothing is yet.

export function CairnDrawing({ size = 96 }: { size?: number }) {
  return (
    <svg
      width={size}
      height={size * 0.75}
      viewBox="0 0 96 72"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d="M4 64h14M78 64h14M86 60l2-5M83 60l-1-4M12 60l-2-4" opacity=".55" />
      <path d="M22 58c0-5 9-8 26-8s27 3 27 8-8 7-26 7-27-2-27-7Z" />
      <path d="M31 43c0-4 7-7 18-7s17 3 17 6-6 7-17 7-18-2-18-6Z" />
      <path d="M37 29c1-4 6-6 12-6s11 2 11 6-5 6-12 6-12-2-11-6Z" />
      <path d="M42 17c0-3 3-5 7-5s7 2 7 5-3 5-7 5-7-2-7-5Z" stroke="var(--accent)" />
      <path d="M30 58c4-2 9-3 15-3M39 42c3-1 6-2 10-2M43 28c2-1 4-1 6-1" opacity=".55" />
    </svg>
  );
}

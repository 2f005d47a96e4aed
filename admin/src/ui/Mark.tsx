// The mark of the house: three stacked pebbles.

interface Props {
  size?: number;
  className?: string;
}

export function Mark({ size = 24, className }: Props) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" fill="currentColor" className={className} aria-hidden="true">
      <ellipse cx="16" cy="24.5" rx="12" ry="4.5" />
      <ellipse cx="15" cy="15.5" rx="8.5" ry="3.8" />
      <ellipse cx="17" cy="8" rx="5" ry="3" />
    </svg>
  );
}

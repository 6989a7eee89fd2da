const shapes = {
  search: "M10.500 4a6.500 6.500 0 1 0 0 13 6.500 6.500 0 0 0 0-13Zm5 11.500L20 20",
  notes: "M6 3.500h9l3.500 3.500v13.500H6zM9 10h6.500M9 13.500h6.500M9 17h4",
  health: "M3.500 13h4l2.500-7 4 12 2.500-5h4",
  sessions: "M4 5.500h16v10.500h-9L6.500 20v-4H4z",
  sun: "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8Zm0-5v2m0 14v2M3 12h2m14 0h2M5.600 5.600 7 7m10 10 1.400 1.400M5.600 18.400 7 17M17 7l1.400-1.400",
  moon: "M19.500 14.500A8 8 0 0 1 9.500 4.500a8 8 0 1 0 10 10Z",
  plus: "M12 5v14M5 12h14",
  keys: "M9.200 9a2.900 2.900 0 1 1 4.300 2.600c-1 .6-1.500 1.100-1.500 2.200M12 17.300v.2",
  left: "M14.500 6 8.500 12l6 6",
  right: "m9.500 6 6 6-6 6",
  copy: "M9 9h10.500v10.500H9zM15 9V4.500H4.500V15H9",
  pen: "M5 19l1-4L16.500 4.500l3 3L9 18zM14 7l3 3",
  filter: "M4 6h16M7 12h10M10 18h4",
  calendar: "M5 6.500h14v13H5zM5 10.500h14M9 4v4M15 4v4",
  command:
    "M9 9h6v6H9zM9 9H6.500A2.500 2.500 0 1 1 9 6.500zM15 9V6.500A2.500 2.500 0 1 1 17.500 9zM15 15h2.500a2.500 2.500 0 1 1-2.500 2.500zM9 15v2.500A2.500 2.500 0 1 1 6.500 15z",
  review: "M4.500 6.500h9M4.500 12h6M4.500 17.500h5M13 15.500l2.500 2.500 5-6",
  clock: "M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16Zm0 3.500V12l3 2",
  sync: "M19.500 12a7.500 7.500 0 0 1-13 5.100M4.500 12a7.500 7.500 0 0 1 13-5.100M17.500 3v4h-4M6.500 21v-4h4",
} as const;

export type IconName = keyof typeof shapes;

/** A decorative icon; the text beside it, or the label of its button, carries the meaning. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={shapes[name]} />
    </svg>
  );
}

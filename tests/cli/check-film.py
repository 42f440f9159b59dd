#!/usr/bin/env python3
"""Reads a film by its container alone: prints pictures, width, height [px] and duration [s].

WebM is EBML (RFC 8794) with Matroska's elements (RFC 9559), MP4 the base media file format (ISO/IEC 14496-12); nothing of
the program that wrote it is used. GIF has its size in its head.
    check-film.py FILE
"""
import struct
import sys

SEGMENT, INFO, SCALE, DURATION, TRACKS, ENTRY, VIDEO, WIDTH, HEIGHT, CLUSTER, GROUP, SIMPLE, BLOCK = (
    0x18538067, 0x1549A966, 0x2AD7B1, 0x4489, 0x1654AE6B, 0xAE, 0xE0, 0xB0, 0xBA, 0x1F43B675, 0xA0, 0xA3, 0xA1)


def number(data, at, keeps_marker):
    """A number of variable length, the bytes that it takes, and whether it says that a size is unknown."""
    length = 9 - data[at].bit_length()
    value = int.from_bytes(data[at:at + length], 'big')
    bare = value & ((1 << (7 * length)) - 1)
    return (value if keeps_marker else bare), length, bare == (1 << (7 * length)) - 1


def elements(data, at, end):
    while at < end:
        name, n, _ = number(data, at, True)
        size, m, unknown = number(data, at + n, False)
        begin = at + n + m
        at = end if unknown else begin + size
        if name in (SEGMENT, INFO, TRACKS, ENTRY, VIDEO, CLUSTER, GROUP):
            yield from elements(data, begin, at)
        else:
            yield name, data[begin:at]


def webm(data):
    n, scale, found = 0, 1000000, {}
    for name, value in elements(data, 0, len(data)):
        if name in (SIMPLE, BLOCK):
            n += 1
        elif name == SCALE:
            scale = int.from_bytes(value, 'big')
        elif name == DURATION:
            found[name] = struct.unpack('>d' if len(value) == 8 else '>f', value)[0]
        elif name in (WIDTH, HEIGHT):
            found[name] = int.from_bytes(value, 'big')
    return n, found[WIDTH], found[HEIGHT], found[DURATION] * scale * 1e-9


def boxes(data, at, end):
    while at + 8 <= end:
        size, name = struct.unpack('>I4s', data[at:at + 8])
        begin = at + 8
        if size == 1:
            size, begin = struct.unpack('>Q', data[begin:begin + 8])[0], begin + 8
        last = end if size == 0 else at + size
        assert at < last <= end, 'a box is cut off'
        if name in (b'moov', b'trak', b'mdia', b'minf', b'stbl'):
            yield from boxes(data, begin, last)
        else:
            yield name, data[begin:last]
        at = last


def mp4(data):
    found = dict(boxes(data, 0, len(data)))
    head, is_long = found[b'mdhd'], found[b'mdhd'][0] == 1
    scale, duration = struct.unpack('>IQ', head[20:32]) if is_long else struct.unpack('>II', head[12:20])
    n = struct.unpack('>I', found[b'stsz'][8:12])[0]
    width, height = struct.unpack('>HH', found[b'stsd'][8 + 32:8 + 36])
    return n, width, height, duration / scale


def gif(data):
    return (0, *struct.unpack('<HH', data[6:10]), 0.)


bytes_of = open(sys.argv[1], 'rb').read()
read = gif if bytes_of[:3] == b'GIF' else webm if bytes_of[:4] == b'\x1a\x45\xdf\xa3' else mp4
print('%d %d %d %.4f' % read(bytes_of))

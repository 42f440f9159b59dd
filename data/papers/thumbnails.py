#!/usr/bin/python3
"""Makes the thumbnails of the start page of a folder that `stickslip-cli paper all --quick --to FOLDER` has filled.

    data/papers/thumbnails.py FOLDER
"""
import json
import pathlib
import sys

import gi
gi.require_version('GdkPixbuf', '2.0')
from gi.repository import GdkPixbuf

WIDTH, HEIGHT = 220, 124
here = pathlib.Path(__file__).resolve().parent / 'thumbnails'
here.mkdir(exist_ok=True)
for item in sorted(pathlib.Path(sys.argv[1]).glob('*/item.json')):
    pictures = json.loads(item.read_text(encoding='utf-8'))['pictures']
    if pictures:
        picture = GdkPixbuf.Pixbuf.new_from_file_at_scale(str(item.parent / (pictures[0]['key'] + '.png')), WIDTH, HEIGHT, True)
        picture.savev(str(here / (item.parent.name + '.png')), 'png', ['compression'], ['9'])
